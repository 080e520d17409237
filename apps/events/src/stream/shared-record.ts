import type { StoredEventRecord } from '@forecourt/contracts';
import { describeEvent, type EventTraits } from '@forecourt/event-matching';
import { frameText } from '@forecourt/json-rpc';

/** One event for many subscribers: what all of them need is computed once, on first use. */
export class SharedRecord {
  #traits: EventTraits | undefined;
  #text: string | undefined;
  readonly #frames = new Map<string, Buffer>();

  constructor(readonly record: StoredEventRecord) {}

  get traits(): EventTraits {
    return (this.#traits ??= describeEvent(this.record.event));
  }

  /**
   * The notification as a WebSocket frame. Subscription ids are counted per connection, so most subscribers share a few ids
   * and with them the frames.
   */
  frame(method: string, subscription: number): Buffer {
    const key = `${method}:${subscription}`;
    let frame = this.#frames.get(key);
    if (frame === undefined) {
      this.#text ??= JSON.stringify(this.record);
      frame = frameText(
        `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":${subscription},"result":${this.#text}}}`,
      );
      this.#frames.set(key, frame);
    }
    return frame;
  }

  /** To be called after the event has been sent: the frames need far more memory than the event. */
  releaseFrames(): void {
    this.#frames.clear();
  }
}
