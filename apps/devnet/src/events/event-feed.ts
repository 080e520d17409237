import type { StoredEventRecord } from '@forecourt/contracts';
import type { CheckpointRecord, EngineInterface } from '../engine/engine-interface.js';
import { deriveEvents } from './derive-events.js';
import type { EventStore } from './event-store.js';

type Listener = (records: readonly StoredEventRecord[]) => void;

/** Turns what happens on the ledger into events, as its checkpoints are sealed: stored first, then told. */
export class EventFeed {
  readonly #listeners = new Set<Listener>();

  constructor(
    private readonly engine: EngineInterface,
    readonly store: EventStore,
  ) {
    for (const checkpoint of this.unseen()) this.take(checkpoint);
    engine.onCheckpoint((checkpoint) => this.take(checkpoint));
  }

  /** The result takes the listener away again. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Checkpoints that were sealed before anybody listened. */
  private unseen(): readonly CheckpointRecord[] {
    const stored = this.store.last;
    const count = this.engine.latestCheckpoint.sequenceNumber + 1;
    return this.engine
      .listCheckpoints({ limit: count })
      .filter(({ networkTotalTransactions: total }) => !stored || total > stored.txSeq + 1);
  }

  private take(checkpoint: CheckpointRecord): void {
    const transactions = checkpoint.transactions.map((digest) => {
      const transaction = this.engine.getTransaction(digest);
      if (!transaction) throw new Error(`transaction ${digest} is forgotten before its events`);
      return transaction;
    });
    const records = deriveEvents(checkpoint, transactions);
    this.store.append(records);
    for (const listener of this.#listeners) listener(records);
  }
}
