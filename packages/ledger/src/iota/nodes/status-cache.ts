import type { LedgerStatus } from '../../ledger.js';

/** Interval of reads after the planned end of an epoch, until the next one begins. */
const OVERDUE_MS = 1_000;

/** Caches a node's status: neither epoch nor gas price changes before the epoch ends. */
export class StatusCache {
  #latest: { readonly status: Promise<LedgerStatus>; readonly askedAt: number } | null = null;
  #known: LedgerStatus | null = null;

  constructor(
    private readonly ask: () => Promise<LedgerStatus>,
    private readonly maxAgeMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** At most `maxAgeMs` old, if that is less than the cache allows. Rejects as `ask` does. */
  read(maxAgeMs = this.maxAgeMs): Promise<LedgerStatus> {
    const now = this.now();
    if (this.#latest && now - this.#latest.askedAt < Math.min(maxAgeMs, this.allowedAge(now))) {
      return this.#latest.status;
    }
    const status = this.ask();
    this.#latest = { status, askedAt: now };
    status.then(
      (answer) => (this.#known = answer),
      () => {
        if (this.#latest?.status === status) this.#latest = null;
      },
    );
    return status;
  }

  /** Reports that a transaction was executed in this epoch: a cached status of an earlier one is stale. */
  noteEpoch(epoch: bigint): void {
    if (this.#known && epoch > this.#known.epoch) this.#latest = null;
  }

  private allowedAge(now: number): number {
    const isOverdue = this.#known !== null && now >= this.#known.epochEndsAt;
    return isOverdue ? Math.min(OVERDUE_MS, this.maxAgeMs) : this.maxAgeMs;
  }
}
