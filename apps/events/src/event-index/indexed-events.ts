import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { type Logger, OutageLog } from '@forecourt/runtime/service';
import type { PastEvents } from '../upstreams/past-events.js';
import { QueryUnanswerable } from '../upstreams/query-unanswerable.js';
import { UnsupportedByUpstream } from '../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../upstreams/upstream-failed.js';
import { IndexQueries } from './index-queries.js';

/** Past events out of the index. */
export class IndexedEvents implements PastEvents {
  readonly #failing: OutageLog;

  constructor(
    private readonly queries: IndexQueries,
    logger: Logger,
  ) {
    this.#failing = new OutageLog(logger, {
      begins: 'The index of events does not answer',
      goesOn: 'Still the index of events does not answer',
      ends: 'The index of events answers again',
    });
  }

  /**
   * Throws `QueryUnanswerable` if the index lacks the events, `OtherLedgerIndexed` if it holds another ledger
   * than the node serves, another -32000 if it does not answer.
   */
  query<T>(query: (source: IndexedEvents['queries']) => Promise<T>): Promise<T> {
    return this.answer(() => query(this.queries));
  }

  requireSameLedger(): Promise<void> {
    return this.answer(() => this.queries.requireSameLedger());
  }

  private async answer<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const result = await ask();
      this.#failing.end();
      return result;
    } catch (cause) {
      if (cause instanceof JsonRpcError) throw cause;
      if (cause instanceof UnsupportedByUpstream) throw new QueryUnanswerable(cause, true);
      const { message } = cause as Error;
      if (cause instanceof UpstreamFailed) {
        throw new JsonRpcError(JsonRpcCode.callFailed, message, undefined, { cause });
      }
      this.#failing.report({ error: message });
      const text = 'The index of events does not answer; retry shortly';
      throw new JsonRpcError(JsonRpcCode.callFailed, text, undefined, { cause });
    }
  }
}
