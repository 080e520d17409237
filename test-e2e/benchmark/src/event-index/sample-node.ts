import { setTimeout as delay } from 'node:timers/promises';
import type { EventId, StoredEventRecord } from '@forecourt/contracts';
import type { EventSource } from '@forecourt/events/event-index';
import { TRANSACTIONS_PER_CHECKPOINT, recordsOf } from './sample-ledger.js';

/** As many checkpoints as one message of a node brings. */
const CHECKPOINTS_AT_ONCE = 20;

/** A node that streams the ledger as fast as it is read, up to a checkpoint that a benchmark raises. */
export class SampleNode implements EventSource {
  readonly name = 'sample';

  /** The newest checkpoint. */
  constructor(public latest: number) {}

  getEvents(): Promise<never> {
    throw new Error('Queries go to the index');
  }
  newest = async () => recordsOf(this.latest).at(-1)!;
  latestCheckpoint = async () => this.latest;
  lowestCheckpoint = async () => 0;
  async *checkpoints() {}
  firstTransactionOf = async (checkpoint: number) => checkpoint * TRANSACTIONS_PER_CHECKPOINT;
  ledgerIdentity = async () => ({ chainIdentifier: 'sample', genesisTransaction: null });

  async *follow(from: EventId, signal: AbortSignal): AsyncGenerator<readonly StoredEventRecord[]> {
    let next = Math.floor(from.txSeq / TRANSACTIONS_PER_CHECKPOINT);
    while (!signal.aborted) {
      const last = Math.min(this.latest, next + CHECKPOINTS_AT_ONCE - 1);
      const records: StoredEventRecord[] = [];
      for (; next <= last; next++) records.push(...recordsOf(next));
      if (records.length === 0) await delay(5);
      else yield records;
    }
  }
}
