import type { EventEmitter } from 'node:events';
import type { CheckpointRecord, ExecutedTransaction, SystemState } from './engine-interface.js';
import { DelayedSteps, type LagRange } from './delayed-steps.js';
import { CLOCK_ID } from './genesis.js';
import type { LedgerState } from './ledger-state.js';
import type { LedgerChanges } from './engine-records.js';
import type { ObjectStore } from './object-store.js';
import type { SimulatedState } from './simulator.js';

/**
 * The state of a full node that executes later than the validators. It holds separate objects, so that the
 * cost of a read does not depend on the lag.
 */
export class LaggingState implements SimulatedState {
  readonly store: ObjectStore;
  hiddenTransactions = 0;
  hiddenCheckpoints = 0;
  readonly #steps: DelayedSteps;
  #systemState: SystemState;

  /** Calls `shown` for each change once reads show it. */
  constructor(
    private readonly ledger: LedgerState,
    private readonly readSystemState: () => SystemState,
    private readonly onShown: EventEmitter<LedgerChanges>,
    range: LagRange,
  ) {
    this.store = ledger.store.copy();
    this.#systemState = readSystemState();
    this.#steps = new DelayedSteps(range);
  }

  set range(range: LagRange) {
    this.#steps.range = range;
  }

  /** Shows every change now. */
  catchUp(): void {
    this.#steps.finish();
  }

  get systemState(): SystemState {
    return this.#systemState;
  }

  get epoch(): bigint {
    return this.#systemState.epoch;
  }

  get referenceGasPrice(): bigint {
    return this.#systemState.referenceGasPrice;
  }

  get latestCheckpoint(): CheckpointRecord {
    const { latest } = this.ledger.checkpoints;
    return this.ledger.checkpoints.find(latest.sequenceNumber - this.hiddenCheckpoints)!;
  }

  now(): number {
    return this.ledger.now();
  }

  /** In a dry run the clock shows the time of the node's newest checkpoint. */
  setClock(): void {
    const clock = this.store.latest(CLOCK_ID)!;
    const now = BigInt(this.latestCheckpoint.timestampMs);
    if ((clock.values.timestamp_ms as bigint) >= now) return;
    this.store.write(clock.nextVersion({ timestamp_ms: now }));
  }

  followTransaction(transaction: ExecutedTransaction): void {
    const { created, mutated, unwrapped, deleted } = transaction.effects;
    const written = [...created, ...mutated, ...unwrapped].map(({ reference }) =>
      this.ledger.store.latest(reference.objectId)!,
    );
    const systemState = this.readSystemState();
    this.hiddenTransactions += 1;
    this.#steps.add(() => {
      for (const object of written) this.store.write(object);
      for (const reference of deleted) this.store.delete(reference);
      this.#systemState = systemState;
      this.hiddenTransactions -= 1;
      this.onShown.emit('executed', transaction);
    });
  }

  followCheckpoint(checkpoint: CheckpointRecord): void {
    this.hiddenCheckpoints += 1;
    const show = () => {
      this.hiddenCheckpoints -= 1;
      this.onShown.emit('checkpoint', checkpoint);
    };
    if (checkpoint.transactions.length === 0) this.#steps.add(show);
    else this.#steps.addToLast(show);
  }

  followClock(): void {
    const clock = this.ledger.store.latest(CLOCK_ID)!;
    this.#steps.add(() => this.store.write(clock));
  }

  /**
   * The next epoch begins with the checkpoint that ended the last one; a changed price is a separate change.
   */
  followSystemState(comesWith: 'epoch' | 'gasPrice'): void {
    const systemState = this.readSystemState();
    const show = () => {
      this.#systemState = systemState;
    };
    if (comesWith === 'epoch') this.#steps.addToLast(show);
    else this.#steps.add(show);
  }
}
