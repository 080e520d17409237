import type { EventEmitter } from 'node:events';
import { CheckpointLog } from './checkpoint-log.js';
import type { CheckpointRecord, EpochRecord, ExecutedTransaction } from './engine-interface.js';
import type { DecodedTransaction, Program } from './transaction-data.js';
import { describeBalanceChanges, describeObjectChanges } from './describe-effects.js';
import type { ExecutionOutcome } from './execution-types.js';
import { endEpoch } from './end-epoch.js';
import { CLOCK_ID, type Genesis, SYSTEM_STATE_ID } from './genesis.js';
import type { LedgerChanges } from './engine-records.js';
import { ObjectStore } from './object-store.js';
import { TransactionLog } from './transaction-log.js';
import { IOTA } from './type-tag.js';

export interface LedgerFacts {
  readonly now: () => number;
  readonly referenceGasPrice: bigint;
  /** Whether every transaction gets a separate checkpoint. */
  readonly sealsEach: boolean;
  readonly kept: number;
  readonly epochStartMs: number;
}

/** The ledger's state and its history. */
export class LedgerState {
  readonly store = new ObjectStore();
  readonly transactions: TransactionLog;
  readonly checkpoints: CheckpointLog;
  epoch = 0n;
  epochStartMs: number;
  referenceGasPrice: bigint;
  /** Position of the first transaction whose replaced object versions a node still has. */
  deletionsShownFrom = 0;
  readonly #supply = new Map<string, bigint>();
  readonly #endedEpochs: EpochRecord[] = [];

  constructor(
    private readonly facts: LedgerFacts,
    genesis: Genesis,
    private readonly changes: EventEmitter<LedgerChanges>,
  ) {
    this.referenceGasPrice = facts.referenceGasPrice;
    this.epochStartMs = facts.epochStartMs;
    this.transactions = new TransactionLog(facts.kept, (oldest) => this.forget(oldest));
    this.checkpoints = new CheckpointLog(facts.kept);
    for (const object of genesis.objects) {
      this.store.write(object);
      if (object.coin) this.changeSupply(object.coin.coinType, object.coin.balance);
    }
    this.record({ ...genesis.transaction, signatures: [] });
    this.sealCheckpoint(false);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.facts.now();
  }

  /**
   * Sets the shared clock to `timestampMs` if the program reads it. On a real network consensus does that
   * with separate transactions; here only the object gets a new version.
   */
  setClock(program: Program, timestampMs: number): void {
    const readsIt = program.inputs.some(
      ({ Object: input }) => input?.SharedObject?.objectId === CLOCK_ID,
    );
    if (readsIt) this.advanceClock(timestampMs);
  }

  /** No effect if the clock is ahead: it never goes back. */
  advanceClock(timestampMs: number): void {
    const clock = this.store.latest(CLOCK_ID);
    const now = BigInt(timestampMs);
    if (!clock || (clock.values.timestamp_ms as bigint) >= now) return;
    this.store.write(clock.nextVersion({ timestamp_ms: now }));
    // Version 1 belongs to the genesis transaction; no other one names a version of the clock.
    if (clock.version > 1) this.store.forget(CLOCK_ID, clock.version);
    this.changes.emit('clock', timestampMs);
  }

  commit(
    transaction: DecodedTransaction,
    signatures: readonly string[],
    outcome: ExecutionOutcome,
    timestampMs: number,
  ): ExecutedTransaction {
    for (const { before, after } of outcome.changes) {
      if (after) this.store.write(after);
      else if (before) this.store.delete(deletedReference(outcome, before.objectId));
    }
    for (const [type, amount] of outcome.supply) this.changeSupply(type, amount);
    this.changeSupply(IOTA, -outcome.effects.gasUsed.computationCostBurned);
    const executed = this.record({
      ...describeExecution(transaction, outcome, timestampMs),
      signatures,
    });
    this.changes.emit('executed', executed);
    if (this.facts.sealsEach) this.sealCheckpoint(false, timestampMs);
    return executed;
  }

  private record(
    transaction: Omit<ExecutedTransaction, 'sequence' | 'checkpoint'>,
  ): ExecutedTransaction {
    const executed = this.transactions.add(transaction);
    this.checkpoints.add(executed);
    return executed;
  }

  sealCheckpoint(
    endOfEpoch: boolean,
    timestampMs = this.now(),
    isEmptyToo = endOfEpoch,
  ): CheckpointRecord | null {
    if (!isEmptyToo && !this.checkpoints.hasWaiting) return null;
    const sealed = this.checkpoints.seal(this.epoch, timestampMs, endOfEpoch);
    for (const digest of sealed.transactions) {
      this.transactions.setCheckpoint(digest, sealed.sequenceNumber);
    }
    this.changes.emit('checkpoint', sealed);
    return sealed;
  }

  /** Drops the checkpoints below this one, except the newest, and their transactions. */
  prune(belowCheckpoint: number): void {
    const first = Math.min(belowCheckpoint, this.checkpoints.latest.sequenceNumber);
    const before = this.checkpoints.find(first - 1);
    if (!before) return;
    this.deletionsShownFrom = this.transactions.count;
    this.checkpoints.dropBelow(first);
    this.transactions.dropBelow(before.networkTotalTransactions);
    this.changes.emit('pruned', before.networkTotalTransactions);
  }

  advanceEpoch(): bigint {
    const now = this.now();
    const { transaction, systemState } = endEpoch({
      systemState: this.store.latest(SYSTEM_STATE_ID)!,
      epoch: this.epoch,
      previousCheckpoint: this.checkpoints.latest.digest,
      timestampMs: now,
    });
    this.store.write(systemState);
    this.changes.emit('executed', this.record({ ...transaction, signatures: [] }));
    const { sequenceNumber } = this.sealCheckpoint(true, now)!;
    const ended = { ...this.currentEpoch, lastCheckpoint: sequenceNumber, endMs: now };
    this.#endedEpochs.push(ended);
    this.epoch += 1n;
    this.epochStartMs = now;
    this.changes.emit('epoch', this.epoch);
    return this.epoch;
  }

  /** Null for one that has not begun. */
  findEpoch(epoch: bigint): EpochRecord | null {
    if (epoch === this.epoch) return this.currentEpoch;
    return this.#endedEpochs[Number(epoch)] ?? null;
  }

  private get currentEpoch(): EpochRecord {
    return {
      epoch: this.epoch,
      firstCheckpoint: (this.#endedEpochs.at(-1)?.lastCheckpoint ?? -1) + 1,
      lastCheckpoint: null,
      startMs: this.epochStartMs,
      endMs: null,
      referenceGasPrice: this.referenceGasPrice,
    };
  }

  supplyOf(coinType: string): bigint {
    return this.#supply.get(coinType) ?? 0n;
  }

  private changeSupply(coinType: string, amount: bigint): void {
    this.#supply.set(coinType, this.supplyOf(coinType) + amount);
  }

  /** Drops the object versions that only the dropped transaction refers to. */
  private forget({ effects }: ExecutedTransaction): void {
    for (const { objectId, version } of effects.modifiedAtVersions) {
      this.store.forget(objectId, version);
    }
    for (const { objectId } of effects.deleted) this.store.forgetDeleted(objectId);
  }
}

/** The record of one execution, whether it is kept or not. */
export function describeExecution(
  { digest, bytes, data }: DecodedTransaction,
  { effects, events, changes }: ExecutionOutcome,
  timestampMs: number,
) {
  return {
    digest,
    bytes,
    data,
    effects,
    events,
    objectChanges: describeObjectChanges(data.sender, changes, effects.lamportVersion),
    balanceChanges: describeBalanceChanges(changes),
    timestampMs,
  };
}

function deletedReference({ effects }: ExecutionOutcome, id: string) {
  return effects.deleted.find(({ objectId }) => objectId === id)!;
}
