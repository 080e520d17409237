import { rememberAnswer } from '@forecourt/resilience';
import { LedgerUnreachable } from '../../ledger-unreachable.js';

/**
 * The network that all nodes of a ledger must be on: the one that `find` returns; while `find`
 * returns null, that of the first node that answered.
 */
export class ExpectedNetwork {
  #pinned: string | null = null;
  #first: string | null = null;
  readonly #ask = rememberAnswer(() =>
    this.find().catch((cause: Error) => {
      const message = `cannot find out which network the pools belong to: ${cause.message}`;
      throw new LedgerUnreachable(message, { cause });
    }),
  );

  /** Called at every call until it returns a network; null: not known yet. */
  constructor(private readonly find: () => Promise<string | null> = async () => null) {}

  /** Null: any network, so far. Rejects with `LedgerUnreachable` when `find` rejects. */
  async read(): Promise<string | null> {
    this.#pinned ??= await this.#ask();
    return this.#pinned ?? this.#first;
  }

  /** Records the network that a node named; returns the required one. */
  compare(chain: string): string {
    if (this.#pinned !== null) return this.#pinned;
    this.#first ??= chain;
    return this.#first;
  }
}
