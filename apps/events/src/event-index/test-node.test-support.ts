import { setTimeout as delay } from 'node:timers/promises';
import {
  compareEventIds,
  type EventId,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import type { EventSource } from '../upstreams/event-source.js';
import { CheckpointChain } from '../upstreams/checkpoint-chain.js';
import type { LinkedCheckpoint } from '../upstreams/sealed-checkpoint.js';
import { checkpointMissing } from '../upstreams/checkpoint-missing.js';
import { TransactionInconvertible } from '../upstreams/transaction-inconvertible.js';
import { HistoryPruned } from '../upstreams/history-pruned.js';
import { UpstreamFailed } from '../upstreams/upstream-failed.js';
import { TestLedger } from './test-ledger.test-support.js';

const POLL_MS = 2;

/** A node of a `TestLedger` whose behaviour a test changes. */
export class TestNode implements EventSource {
  lowest = 0;
  isDown = false;
  /** A transaction that it cannot show. */
  broken: number | null = null;
  identifier = 'chain';
  /** Checkpoints that it does not show yet. */
  lag = 0;
  /** Records that it has delivered. */
  delivered = 0;
  /** False: as in a dialect without digests of checkpoints. */
  showsDigests = true;

  constructor(
    readonly name: string,
    public ledger: TestLedger,
  ) {}

  getEvents(): Promise<never> {
    throw new Error('The index must not query nodes');
  }

  newest = async () => this.ledger.records.at(-1) ?? null;
  latestCheckpoint = async () => this.answer(this.ledger.latest - this.lag);
  lowestCheckpoint = async () => this.answer(this.lowest);
  ledgerIdentity = async () =>
    this.answer({ chainIdentifier: this.identifier, genesisTransaction: null });

  async firstTransactionOf(checkpoint: number): Promise<number> {
    if (checkpoint < this.lowest) throw this.pruned();
    const found = this.answer(this.ledger.starts[checkpoint]);
    if (found === undefined) throw new UpstreamFailed(`no checkpoint ${checkpoint}`);
    return found;
  }

  async *follow(
    from: EventId,
    signal: AbortSignal,
    chain = new CheckpointChain(null),
  ): AsyncGenerator<readonly StoredEventRecord[]> {
    const last = this.ledger.records.find(
      ({ event }) => 'checkpoint' in event && event.checkpoint === chain.last?.number,
    );
    let next = last && compareEventIds(from, last.id) <= 0 ? nextEventId(last.id) : from;
    let size = 0;
    yield [];
    while (!signal.aborted) {
      this.answer(null);
      const { ledger } = this;
      const isKept = chain.last
        ? chain.last.number + 1 >= this.lowest
        : next.txSeq + 1 >= ledger.starts[this.lowest]!;
      if (!isKept) throw this.pruned();
      const end = ledger.starts[ledger.latest + 1 - this.lag]!;
      const position = firstFrom(ledger.records, next);
      // Portions of any size, which end anywhere in a checkpoint.
      size = 1 + ((size * 7 + position) % 50);
      const portion = ledger.records
        .slice(position, position + size)
        .filter(
          ({ id, event }) =>
            id.txSeq < end &&
            !('checkpoint' in event && event.checkpoint > ledger.latest - this.lag),
        );
      const broken = portion.findIndex(({ id }) => id.txSeq === this.broken);
      const records = broken === -1 ? portion : portion.slice(0, broken);
      const sealed = records.flatMap(({ event }) =>
        'checkpoint' in event ? ledger.linkOf(event.checkpoint) : [],
      );
      if (this.showsDigests) chain.link(sealed);
      this.delivered += records.length;
      if (records.length > 0) yield records;
      for (const one of sealed) chain.delivered(one);
      if (broken !== -1) throw new TransactionInconvertible('digest', this.broken, 'broken');
      if (records.length === 0) await delay(POLL_MS);
      else next = nextEventId(records.at(-1)!.id);
    }
  }

  async *checkpoints(first: number, last: number): AsyncGenerator<readonly LinkedCheckpoint[]> {
    this.answer(null);
    if (!this.showsDigests) return;
    const step = last < first ? -1 : 1;
    for (let next = first; (last - next) * step >= 0; next += step) {
      if (next < this.lowest) throw this.pruned();
      const { ledger } = this;
      if (next > ledger.latest - this.lag) throw checkpointMissing(next, 'lag');
      yield [ledger.linkOf(next)];
    }
  }

  private answer<T>(value: T): T {
    if (this.isDown) throw new UpstreamFailed(`${this.name} is down`);
    return value;
  }

  private pruned(): HistoryPruned {
    return new HistoryPruned({
      checkpoint: this.lowest,
      txSeq: this.ledger.starts[this.lowest]!,
    });
  }
}

/** The index of the first record at or after a position. */
function firstFrom(records: readonly StoredEventRecord[], from: EventId): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareEventIds(records[middle]!.id, from) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
