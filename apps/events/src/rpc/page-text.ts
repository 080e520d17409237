import { setImmediate as nextTurn } from 'node:timers/promises';
import { RawJson } from '@forecourt/json-rpc';
import type { WrittenPage } from '../dialects/event-dialect.js';

/** Records that are written in one turn of the event loop, so that a large page does not delay other clients. */
const RECORDS_PER_TURN = 100;

/** A page as JSON, written part by part: the objects of a part can be freed once it is text. */
export class PageText {
  readonly #records: string[] = [];
  #nextCursor: unknown = null;

  /** Adds the next part of the page. Returns the number of bytes it takes. */
  async add({ data, nextCursor }: WrittenPage): Promise<number> {
    let bytes = 0;
    for (let at = 0; at < data.length; at += RECORDS_PER_TURN) {
      if (at > 0) await nextTurn();
      const text = JSON.stringify(data.slice(at, at + RECORDS_PER_TURN)).slice(1, -1);
      if (this.#records.length > 0) this.#records.push(',');
      this.#records.push(text);
      bytes += text.length;
    }
    this.#nextCursor = nextCursor;
    return bytes;
  }

  toJson(): RawJson {
    const nextCursor = JSON.stringify(this.#nextCursor);
    return new RawJson(['{"data":[', ...this.#records, `],"nextCursor":${nextCursor}}`]);
  }
}
