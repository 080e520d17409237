import { join } from 'node:path';
import type { StoredEventRecord } from '@forecourt/contracts';
import type { CheckpointRecord } from '../engine/engine-interface.js';
import type { FullNode } from '../engine/full-node.js';
import { deriveEvents } from './derive-events.js';
import { EventStore } from './event-store.js';
import type { DevnetConfig } from '../devnet-config.js';

type Listener = (records: readonly StoredEventRecord[]) => void;

/** Derives events from each sealed checkpoint, stores them and then notifies the listeners. */
export class EventFeed {
  readonly #listeners = new Set<Listener>();
  #last: StoredEventRecord | null;

  constructor(
    private readonly fullNode: FullNode,
    readonly store: EventStore,
  ) {
    this.#last = store.last;
    for (const checkpoint of this.unprocessed()) this.process(checkpoint);
    fullNode.changes.on('checkpoint', (checkpoint) => this.process(checkpoint));
    fullNode.changes.on('pruned', (dropped) => store.dropBelow(dropped));
  }

  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Checkpoints whose events are not stored yet. */
  private unprocessed(): readonly CheckpointRecord[] {
    const stored = this.#last?.event;
    const next = stored && 'checkpoint' in stored ? stored.checkpoint + 1 : 0;
    const count = this.fullNode.latestCheckpoint.sequenceNumber + 1;
    return this.fullNode
      .listCheckpoints({ limit: count })
      .filter(({ sequenceNumber }) => sequenceNumber >= next);
  }

  private process(checkpoint: CheckpointRecord): void {
    const transactions = checkpoint.transactions.map((digest) => {
      const transaction = this.fullNode.getTransaction(digest);
      if (!transaction)
        throw new Error(`Transaction ${digest} was dropped before its events were derived`);
      return transaction;
    });
    const records = deriveEvents(checkpoint, transactions, this.#last);
    this.#last = records.at(-1) ?? null;
    this.store.append(records);
    for (const listener of this.#listeners) listener(records);
  }
}

/** The events that the node shows, kept as configured. */
export function createEventFeed(
  fullNode: FullNode,
  { dataDir, keptEvents }: DevnetConfig,
): EventFeed {
  const options =
    dataDir === null
      ? { kept: keptEvents }
      : { kept: Number.MAX_SAFE_INTEGER, path: join(dataDir, 'ledger-events.sqlite') };
  return new EventFeed(fullNode, new EventStore(options));
}
