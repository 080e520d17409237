import type { CalledMethod, MethodFormat, StoredEventRecord } from '@forecourt/contracts';
import { describeEvent, type EventTraits } from '../event-matching/event-traits.js';
import { frameText } from '@forecourt/json-rpc';

/** One event for many subscribers: values that all of them need are computed once, on first use. */
export class SharedRecord {
  #traits: EventTraits | undefined;
  readonly #texts = new Map<MethodFormat, string>();
  readonly #frames = new Map<string, Buffer>();

  constructor(readonly record: StoredEventRecord) {}

  get traits(): EventTraits {
    return (this.#traits ??= describeEvent(this.record.event));
  }

  /**
   * The notification as a WebSocket frame. Subscription ids are counted per connection, so most subscribers
   * share a few ids and with them the frames. Throws -32000 if the node has left out an attribute of the
   * format.
   */
  frame({ name, format }: CalledMethod, subscription: number): Buffer {
    const key = `${name}:${subscription}`;
    let frame = this.#frames.get(key);
    if (frame === undefined) {
      frame = frameText(
        `{"jsonrpc":"2.0","method":"${name}","params":{"subscription":${subscription},"result":${this.text(format)}}}`,
      );
      this.#frames.set(key, frame);
    }
    return frame;
  }

  /** To be called after the event has been sent: the frames need far more memory than the event. */
  releaseFrames(): void {
    this.#frames.clear();
  }

  private text(format: MethodFormat): string {
    let text = this.#texts.get(format);
    if (text === undefined) {
      text = JSON.stringify(format.writeRecord(this.record));
      this.#texts.set(format, text);
    }
    return text;
  }
}
