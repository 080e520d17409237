import { ChainBroken } from '../upstreams/chain-broken.js';
import { HistoryPruned } from '../upstreams/history-pruned.js';

/** An address may lead to another network for a moment. */
const BROKEN_IN_ROW = 5;

/** Counts the consecutive failures of the upstreams after which none of them can continue the stream. */
export class DeadEnds {
  #prunedInRow = 0;
  #brokenInRow = 0;

  constructor(private readonly upstreams: number) {}

  /** An upstream has continued the stream. */
  clear(): void {
    this.#prunedInRow = 0;
    this.#brokenInRow = 0;
  }

  /** Why no upstream can continue the stream, after this error; null: one may. */
  explain(error: unknown): string | null {
    this.#prunedInRow = error instanceof HistoryPruned ? this.#prunedInRow + 1 : 0;
    this.#brokenInRow = error instanceof ChainBroken ? this.#brokenInRow + 1 : 0;
    const { message } = error as Error;
    if (this.#prunedInRow >= this.upstreams) {
      this.clear();
      return `every ledger node has pruned the next events. ${message}`;
    }
    // Of another ledger, the nodes' identity would have shown it.
    if (this.#brokenInRow >= BROKEN_IN_ROW * this.upstreams) {
      this.clear();
      return `no ledger node continues the events that were sent. ${message}`;
    }
    return null;
  }
}
