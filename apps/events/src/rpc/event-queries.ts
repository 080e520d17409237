import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type CalledMethod, readCursor, type WrittenPage } from '@forecourt/contracts';
import { type CallContext, RawJson } from '@forecourt/json-rpc';
import { NodeCalls } from '../upstreams/node-calls.js';
import { PAST_EVENTS, type PastEvents } from '../upstreams/past-events.js';

/** Records that are written in one turn of the event loop, so that a large page does not delay other clients. */
const RECORDS_PER_TURN = 100;

/** The method that returns past events. */
@Injectable()
export class EventQueries {
  constructor(
    @Inject(PAST_EVENTS) private readonly past: PastEvents,
    private readonly nodeCalls: NodeCalls,
  ) {}

  /**
   * Throws -32602 naming the param; -32000 when no node responds, none has the beginning of the page, one has left out an
   * attribute of the format, or the query needs too many node calls; -32009 when the client has caused too many node
   * calls; and -32702 when the page is too big.
   */
  async getEvents(
    params: unknown,
    context: CallContext,
    { format }: CalledMethod,
  ): Promise<RawJson> {
    const request = format.readGetEvents(params);
    const session = this.nodeCalls.openSession(context.origin, context);
    try {
      const text = new PageText();
      let { cursor, limit } = request;
      for (;;) {
        const part = { ...request, cursor, limit };
        const page = await this.past.query((source) => source.getEvents(part, session));
        session.addMemory(await text.add(format.writePage(page)));
        if (!page.goesOn || page.nextCursor === null) return text.toJson();
        cursor = readCursor(page.nextCursor, 'nextCursor');
        limit -= page.data.length;
      }
    } finally {
      session.end();
    }
  }
}

/** A page as JSON, written part by part: the objects of a part can be freed once it is text. */
class PageText {
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
