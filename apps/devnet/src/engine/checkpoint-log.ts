import type {
  CheckpointRecord,
  GasCostSummary,
  Listing,
  ExecutedTransaction,
} from './engine-interface.js';
import { digestOfText } from './hash.js';

const NOTHING: GasCostSummary = {
  computationCost: 0n,
  computationCostBurned: 0n,
  storageCost: 0n,
  storageRebate: 0n,
  nonRefundableStorageFee: 0n,
};

/** Sealed checkpoints and the transactions of the next one. */
export class CheckpointLog {
  readonly #sealed = new Map<number, CheckpointRecord>();
  readonly #byDigest = new Map<string, CheckpointRecord>();
  #waiting: string[] = [];
  #gas = NOTHING;
  #latest: CheckpointRecord | null = null;
  #oldest = 0;

  constructor(private readonly kept: number) {}

  get latest(): CheckpointRecord {
    if (!this.#latest) throw new TypeError('genesis seals the first checkpoint');
    return this.#latest;
  }

  add({ digest, effects }: ExecutedTransaction): void {
    this.#waiting.push(digest);
    const { gasUsed } = effects;
    this.#gas = {
      computationCost: this.#gas.computationCost + gasUsed.computationCost,
      computationCostBurned: this.#gas.computationCostBurned + gasUsed.computationCostBurned,
      storageCost: this.#gas.storageCost + gasUsed.storageCost,
      storageRebate: this.#gas.storageRebate + gasUsed.storageRebate,
      nonRefundableStorageFee: this.#gas.nonRefundableStorageFee + gasUsed.nonRefundableStorageFee,
    };
  }

  /** Whether there are transactions for the next checkpoint. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  seal(epoch: bigint, timestampMs: number, endOfEpoch: boolean): CheckpointRecord {
    const previous = this.#latest;
    const transactions = this.#waiting;
    const content = {
      sequenceNumber: previous ? previous.sequenceNumber + 1 : 0,
      previousDigest: previous?.digest ?? null,
      epoch,
      timestampMs: Math.max(timestampMs, previous?.timestampMs ?? 0),
      transactions,
      networkTotalTransactions: (previous?.networkTotalTransactions ?? 0) + transactions.length,
      epochRollingGasCostSummary: this.#gas,
      endOfEpoch,
    };
    // Excludes the time, so that the same seed gives the same chain at any start.
    const text = `${content.sequenceNumber}|${content.previousDigest}|${epoch}|${endOfEpoch}|${transactions.join()}`;
    const sealed = { ...content, digest: digestOfText('CheckpointSummary', text) };
    this.#waiting = [];
    if (endOfEpoch) this.#gas = NOTHING;
    this.keep(sealed);
    return sealed;
  }

  private keep(sealed: CheckpointRecord): void {
    this.#latest = sealed;
    this.#sealed.set(sealed.sequenceNumber, sealed);
    this.#byDigest.set(sealed.digest, sealed);
    this.dropBelow(sealed.sequenceNumber - this.kept + 1);
  }

  /** The number of the oldest checkpoint that is kept. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Drops checkpoints, except the newest. */
  dropBelow(sequenceNumber: number): void {
    const end = Math.min(sequenceNumber, this.latest.sequenceNumber);
    for (; this.#oldest < end; this.#oldest += 1) {
      const dropped = this.#sealed.get(this.#oldest);
      this.#sealed.delete(this.#oldest);
      if (dropped) this.#byDigest.delete(dropped.digest);
    }
  }

  find(name: number | string): CheckpointRecord | null {
    const checkpoint = typeof name === 'number' ? this.#sealed.get(name) : this.#byDigest.get(name);
    return checkpoint ?? null;
  }

  list({ after, limit, descending = false }: Listing): CheckpointRecord[] {
    const step = descending ? -1 : 1;
    const start = descending ? this.latest.sequenceNumber : this.#oldest;
    const page: CheckpointRecord[] = [];
    const first = after === undefined ? start : after + step;
    for (let n = descending ? first : Math.max(first, start); page.length < limit; n += step) {
      const checkpoint = this.#sealed.get(n);
      if (!checkpoint) break;
      page.push(checkpoint);
    }
    return page;
  }
}
