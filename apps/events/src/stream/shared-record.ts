import type { StoredEventRecord } from '@forecourt/contracts';
import { describeEvent, type EventTraits } from '@forecourt/event-matching';
import { frameText } from '@forecourt/json-rpc';

/** One event on its way to many subscribers: what all of them need of it is made once, when the first asks. */
export class SharedRecord {
  #traits: EventTraits | undefined;
  #text: string | undefined;
  readonly #frames = new Map<string, Buffer>();

  constructor(readonly record: StoredEventRecord) {}

  get traits(): EventTraits {
    return (this.#traits ??= describeEvent(this.record.event));
  }

  /**
   * The notification as a WebSocket frame. Ids are counted per connection, so most subscribers share a few of them and
   * with them the bytes.
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

  /** Forgets the frames once all who wait for the event have been sent it: kept, they would outweigh the event by far. */
  releaseFrames(): void {
    this.#frames.clear();
  }
}
