import type { CheckpointRecord, ExecutedTransaction } from './engine-interface.js';

interface LedgerEvents {
  executed: ExecutedTransaction;
  checkpoint: CheckpointRecord;
  epoch: bigint;
  gasPrice: bigint;
  /** Milliseconds since 1970. */
  clock: number;
  /** The number of transactions before the first that is left. */
  pruned: number;
}

/** Notifies listeners synchronously and in order. */
export class Listeners {
  readonly #byName: { [K in keyof LedgerEvents]: Set<(event: LedgerEvents[K]) => void> } = {
    executed: new Set(),
    checkpoint: new Set(),
    epoch: new Set(),
    gasPrice: new Set(),
    clock: new Set(),
    pruned: new Set(),
  };

  /** Returns a function that removes the listener. */
  add<K extends keyof LedgerEvents>(name: K, listener: (event: LedgerEvents[K]) => void) {
    // A wrapper for each, so that a function added twice is two listeners.
    const own = (event: LedgerEvents[K]) => listener(event);
    this.#byName[name].add(own);
    return () => void this.#byName[name].delete(own);
  }

  notify<K extends keyof LedgerEvents>(name: K, event: LedgerEvents[K]): void {
    for (const listener of this.#byName[name]) listener(event);
  }
}
