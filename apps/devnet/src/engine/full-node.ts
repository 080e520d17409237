import { EventEmitter } from 'node:events';
import type {
  CheckpointRecord,
  EngineInterface,
  ExecutedTransaction,
  Listing,
  SimulatedExecution,
  SystemState,
} from './engine-interface.js';
import type { LagRange } from './delayed-steps.js';
import { fullId } from './hash.js';
import { listCheckpointsUntil, listTransactionsUntil } from './transaction-log.js';
import { LaggingState } from './lagging-state.js';
import type { LedgerState } from './ledger-state.js';
import type { LedgerChanges } from './engine-records.js';
import type { ObjectStore } from './object-store.js';
import { Simulator } from './simulator.js';
import { showType } from './type-tag.js';

/** Longest delay of a timer. */
const FOREVER_MS = 2 ** 31 - 1;

/** The server that answers reads: it executes the validators' decisions at once or, while it lags, later. */
export class FullNode {
  /** The ledger's changes, each emitted when reads show it. */
  readonly changes = new EventEmitter<LedgerChanges>();
  /** Null while reads show everything at once. */
  #lagging: LaggingState | null = null;
  #simulator: Simulator;

  constructor(
    private readonly ledger: LedgerState,
    ledgerChanges: EventEmitter<LedgerChanges>,
    private readonly readSystemState: () => SystemState,
  ) {
    this.#simulator = new Simulator(ledger, ledger.store);
    // One for each caller that waits for a transaction to be shown.
    this.changes.setMaxListeners(0);
    ledgerChanges.on('executed', (transaction) => {
      if (this.#lagging) this.#lagging.followTransaction(transaction);
      else this.changes.emit('executed', transaction);
    });
    ledgerChanges.on('checkpoint', (checkpoint) => {
      if (this.#lagging) this.#lagging.followCheckpoint(checkpoint);
      else this.changes.emit('checkpoint', checkpoint);
    });
    ledgerChanges.on('clock', () => this.#lagging?.followClock());
    ledgerChanges.on('epoch', () => this.#lagging?.followSystemState('epoch'));
    ledgerChanges.on('gasPrice', () => this.#lagging?.followSystemState('gasPrice'));
    ledgerChanges.on('pruned', (dropped) => this.changes.emit('pruned', dropped));
  }

  /** With null, reads show every change at once. */
  setLag(range: LagRange | null): void {
    if (this.#lagging && range) {
      this.#lagging.range = range;
      return;
    }
    this.#lagging?.catchUp();
    this.#lagging =
      range && new LaggingState(this.ledger, this.readSystemState, this.changes, range);
    this.#simulator = new Simulator(this.#lagging ?? this.ledger, this.ledger.store);
  }

  /**
   * Resolves to true as soon as reads show the transaction at this position, to false when they do not in
   * time.
   */
  untilShown(sequence: number, withinMs = FOREVER_MS): Promise<boolean> {
    if (sequence < this.transactionCount) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isShown: boolean) => {
        clearTimeout(timer);
        this.changes.off('executed', look);
        resolve(isShown);
      };
      const look = () => void (sequence < this.transactionCount && end(true));
      const timer = setTimeout(() => end(false), withinMs).unref();
      this.changes.on('executed', look);
    });
  }

  /** Like the engine's method, but keeps checkpoints that reads do not show yet. */
  prune(belowCheckpoint: number): void {
    this.ledger.prune(Math.min(belowCheckpoint, this.latestCheckpoint.sequenceNumber));
  }

  dryRun(bytes: Uint8Array): SimulatedExecution {
    return this.#simulator.dryRun(bytes);
  }

  /** See `Simulator.dryRunWithCoin`. */
  dryRunWithCoin(bytes: Uint8Array): SimulatedExecution {
    return this.#simulator.dryRunWithCoin(bytes);
  }

  /** A dry run of a program alone, paid for by an ample coin; `price` null: the reference gas price. */
  inspect(program: Uint8Array, sender: string, price: bigint | null): SimulatedExecution {
    return this.#simulator.inspect(program, sender, price);
  }

  systemState(): SystemState {
    return this.#lagging?.systemState ?? this.readSystemState();
  }

  getObject(id: string) {
    return this.store.lookup(fullId(id));
  }

  getPastObject(id: string, version: number) {
    return this.ledger.store.lookupPast(fullId(id), version);
  }

  listOwnedObjects(owner: string, page: Parameters<EngineInterface['listOwnedObjects']>[1]) {
    return this.store.owners.listObjects(fullId(owner), page);
  }

  listCoins(
    owner: string,
    coinType: string | null,
    page: Parameters<EngineInterface['listCoins']>[2],
  ) {
    const type = coinType === null ? null : showType(coinType);
    return this.store.owners.listCoins(fullId(owner), type, page);
  }

  getBalance(owner: string, coinType: string) {
    return this.store.owners.balance(fullId(owner), showType(coinType));
  }

  get transactionCount(): number {
    return this.ledger.transactions.count - (this.#lagging?.hiddenTransactions ?? 0);
  }

  get latestCheckpoint(): CheckpointRecord {
    return this.#lagging?.latestCheckpoint ?? this.ledger.checkpoints.latest;
  }

  getTransaction(digest: string): ExecutedTransaction | null {
    const transaction = this.ledger.transactions.find(digest);
    return transaction && transaction.sequence < this.transactionCount ? transaction : null;
  }

  listTransactions(listing: Listing): readonly ExecutedTransaction[] {
    return listTransactionsUntil(this.ledger.transactions, this.transactionCount, listing);
  }

  getCheckpoint(id: number | string): CheckpointRecord | null {
    const checkpoint = this.ledger.checkpoints.find(id);
    return checkpoint && checkpoint.sequenceNumber <= this.latestCheckpoint.sequenceNumber
      ? checkpoint
      : null;
  }

  listCheckpoints(listing: Listing): readonly CheckpointRecord[] {
    const last = this.latestCheckpoint.sequenceNumber;
    return listCheckpointsUntil(this.ledger.checkpoints, last, listing);
  }

  private get store(): ObjectStore {
    return this.#lagging?.store ?? this.ledger.store;
  }
}
