import { LedgerUnreachable } from '../../ledger-errors.js';

/**
 * The network that all nodes of a ledger must be on: for good the one that `find` knows; as long as it knows none, that of
 * the first node that answered.
 */
export class ExpectedNetwork {
  private pinned: string | null = null;
  private first: string | null = null;
  private finding: Promise<string | null> | null = null;

  /** `find`: null while nobody knows; asked at every call until somebody does. */
  constructor(private readonly find: () => Promise<string | null> = async () => null) {}

  /** Null: any, so far. Rejects with `LedgerUnreachable` when `find` rejects. */
  async read(): Promise<string | null> {
    this.pinned ??= await this.ask();
    return this.pinned ?? this.first;
  }

  /** A node has named its network; returns the one that it must be on. */
  compare(chain: string): string {
    if (this.pinned !== null) return this.pinned;
    this.first ??= chain;
    return this.first;
  }

  private ask(): Promise<string | null> {
    this.finding ??= this.find()
      .catch((cause: Error) => {
        const message = `cannot find out which network the pools belong to: ${cause.message}`;
        throw new LedgerUnreachable(message, { cause });
      })
      .finally(() => {
        this.finding = null;
      });
    return this.finding;
  }
}
