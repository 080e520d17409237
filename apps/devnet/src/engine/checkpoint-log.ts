import type { CheckpointRecord, GasCostSummary, Listing } from './engine-interface.js';
import type { ExecutedTransaction } from './engine-interface.js';
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

  /** Returns null when there are no transactions, unless the epoch ends with the checkpoint. */
  seal(epoch: bigint, timestampMs: number, endOfEpoch: boolean): CheckpointRecord | null {
    if (this.#waiting.length === 0 && !endOfEpoch) return null;
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
    // Without the time, so that the same seed gives the same chain whenever it starts.
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
    const oldest = this.#sealed.get(sealed.sequenceNumber - this.kept);
    if (!oldest) return;
    this.#sealed.delete(oldest.sequenceNumber);
    this.#byDigest.delete(oldest.digest);
  }

  find(name: number | string): CheckpointRecord | null {
    const found = typeof name === 'number' ? this.#sealed.get(name) : this.#byDigest.get(name);
    return found ?? null;
  }

  list({ after, limit, descending = false }: Listing): CheckpointRecord[] {
    const step = descending ? -1 : 1;
    const oldest = Math.max(0, this.latest.sequenceNumber - this.kept + 1);
    const start = descending ? this.latest.sequenceNumber : oldest;
    const found: CheckpointRecord[] = [];
    for (let at = after === undefined ? start : after + step; found.length < limit; at += step) {
      const checkpoint = this.#sealed.get(at);
      if (!checkpoint) break;
      found.push(checkpoint);
    }
    return found;
  }
}
