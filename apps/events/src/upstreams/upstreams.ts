import type { Logger } from '@forecourt/runtime/service';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { EventSource } from './event-source.js';
import { UnsupportedByUpstream } from './unsupported-by-upstream.js';
import { HistoryPruned } from './history-pruned.js';
import { RateLimited } from './rate-limited.js';
import { NodeRefused } from './node-refused.js';
import { UpstreamFailed } from './upstream-failed.js';
import { QueryUnanswerable } from './query-unanswerable.js';

/** The nodes that serve events, in order of preference; one of them is in use. */
export class Upstreams {
  #current = 0;

  constructor(
    /** All nodes, in order of preference. */
    readonly all: readonly EventSource[],
    private readonly logger: Logger,
  ) {}

  get current(): EventSource {
    return this.all[this.#current]!;
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** Switches to the next node if `failed` is still the one in use. */
  failOver(failed: EventSource, error: unknown): void {
    if (failed !== this.current || this.all.length === 1) return;
    this.#current = (this.#current + 1) % this.all.length;
    this.logger.warn(
      { upstream: failed.name, next: this.current.name, error: (error as Error).message },
      'Upstream failed, switched to the next one',
    );
  }

  /** Past events and live ones come from the same nodes. */
  async requireSameLedger(): Promise<void> {}

  /**
   * Queries the node in use, then the others. A node that responds, but lacks the requested data or refuses
   * the query, stays in use: otherwise one client's queries would decide which node serves all clients.
   * Throws `QueryUnanswerable` if a node lacks the requested data and no other node answers, another -32000
   * if nodes only fail or refuse, and any other error of `query`.
   */
  async query<T>(query: (source: EventSource) => Promise<T>): Promise<T> {
    const { all } = this;
    const first = this.#current;
    let lack: UnsupportedByUpstream | null = null;
    let failure: UpstreamFailed | null = null;
    for (let attempt = 0; attempt < all.length; attempt++) {
      const source = all[(first + attempt) % all.length]!;
      try {
        return await query(source);
      } catch (error) {
        if (!(error instanceof UpstreamFailed)) throw error;
        if (error instanceof UnsupportedByUpstream) lack = lack ? pickError(lack, error) : error;
        else {
          failure = error;
          if (!(error instanceof NodeRefused)) this.failOver(source, error);
        }
      }
    }
    if (lack) throw new QueryUnanswerable(lack, failure === null);
    throw new JsonRpcError(JsonRpcCode.callFailed, describe(failure), undefined, {
      cause: failure,
    });
  }
}

/**
 * The node whose history reaches furthest back, or one that is not pruned; last, one that cannot answer the
 * criterion.
 */
function pickError(a: UnsupportedByUpstream, b: UnsupportedByUpstream): UnsupportedByUpstream {
  if (a.kind === 'unanswerable') return b;
  if (b.kind === 'unanswerable') return a;
  if (!(a instanceof HistoryPruned)) return a;
  if (!(b instanceof HistoryPruned)) return b;
  return a.earliest.txSeq <= b.earliest.txSeq ? a : b;
}

function describe(failure: UpstreamFailed | null): string {
  if (failure instanceof NodeRefused) return `Ledger node refused the query: ${failure.message}`;
  if (failure instanceof RateLimited) {
    return 'Ledger node limits the rate of queries; retry in a few seconds';
  }
  return 'Ledger node unavailable; retry shortly';
}
