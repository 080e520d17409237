import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import type { Logger } from '@forecourt/runtime/service';
import { LastingCondition } from '@forecourt/runtime/service';
import type { PastEvents, PastEventsSource } from '../../upstreams/past-events.js';
import { UpstreamFailed, UpstreamLacks } from '../../upstreams/upstream-errors.js';
import { QueryUnanswerable } from '../../upstreams/upstreams.js';

/** Past events out of the index. */
export class IndexedEvents implements PastEvents {
  private readonly failing: LastingCondition;

  constructor(
    private readonly queries: PastEventsSource,
    logger: Logger,
  ) {
    this.failing = new LastingCondition(logger, {
      begins: 'The index of events does not answer',
      goesOn: 'Still the index of events does not answer',
      ends: 'The index of events answers again',
    });
  }

  /** Throws `QueryUnanswerable` if the index lacks the events, another -32000 if it does not answer. */
  async query<T>(query: (source: PastEventsSource) => Promise<T>): Promise<T> {
    try {
      const result = await query(this.queries);
      this.failing.end();
      return result;
    } catch (cause) {
      if (cause instanceof JsonRpcError) throw cause;
      if (cause instanceof UpstreamLacks) throw new QueryUnanswerable(cause, true);
      const { message } = cause as Error;
      if (cause instanceof UpstreamFailed) {
        throw new JsonRpcError(JsonRpcCode.callFailed, message, undefined, { cause });
      }
      this.failing.report({ error: message });
      const text = 'The index of events does not answer; retry shortly';
      throw new JsonRpcError(JsonRpcCode.callFailed, text, undefined, { cause });
    }
  }
}
