import { setTimeout as delay } from 'node:timers/promises';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import type { EventSource } from '../../upstreams/event-source.js';
import { CheckpointChain } from '../../upstreams/checkpoint-chain.js';
import { UnsupportedByUpstream } from '../../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../../upstreams/upstream-failed.js';
import { type Hole, isFrom } from '../store/indexed-ledger.js';
import type { IndexDatabase } from '../store/index-database.js';
import { CheckpointSink } from './checkpoint-sink.js';
import type { IndexProgress } from './index-progress.js';
import {
  type IndexSources,
  beginAt,
  explainLacks,
  findDeliverable,
  requireKept,
} from './index-sources.js';
import type { IndexWriter } from './index-writer.js';
import { HoleClaims } from './hole-claims.js';

/** How often idle workers look for holes. */
const LOOK_EVERY_MS = 2_000;
const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;
/** Until nodes that did not answer are asked again. */
const OUTAGE_SECONDS = 10;
/** New events are written first; a backfill waits for them so long at most. */
const MAX_PAUSE_MS = 2_000;
const PAUSE_MS = 10;

/** Reads what the index does not have, the newest first, in several ranges at a time. */
export class Backfill {
  readonly #claims: HoleClaims;
  readonly #failing: OutageLog;

  constructor(
    database: IndexDatabase,
    private readonly sources: IndexSources,
    private readonly writer: IndexWriter,
    private readonly progress: IndexProgress,
    private readonly workers: number,
    private readonly logger: Logger,
  ) {
    this.#claims = new HoleClaims(database, sources, writer);
    this.#failing = new OutageLog(logger, {
      begins: 'Cannot fill the holes of the index of events',
      goesOn: 'Still cannot fill the holes of the index of events',
      ends: 'Can fill the holes of the index of events again',
    });
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.workers }, () => this.work(signal)));
  }

  private async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const hole = await this.#claims.take();
        if (hole !== null) {
          await this.fill(hole, signal).finally(() => this.#claims.release(hole));
          continue;
        }
        this.#failing.end();
      } catch (error) {
        this.#failing.report({ error: (error as Error).message });
      }
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Fills as much as the nodes deliver, and notes why if that is not everything. Throws when the index cannot
   * be written.
   */
  private async fill(whole: Hole, signal: AbortSignal): Promise<void> {
    let hole = whole;
    const lacks: UnsupportedByUpstream[] = [];
    let failure = 'no node has answered';
    for (const source of this.sources.all) {
      const { left, error } = await this.read(source, hole, signal);
      if (left === null || signal.aborted) return;
      if (left.first.position > hole.first.position) lacks.length = 0;
      hole = left;
      failure = error.message;
      if (error instanceof UnsupportedByUpstream) lacks.push(error);
    }
    if (lacks.length === 0) {
      return this.writer.postpone(hole, hole.reason, failure, OUTAGE_SECONDS);
    }
    await this.setApart(hole, lacks);
  }

  /**
   * Reads a hole from one node. `left`: what is still missing; null: nothing. Throws the errors of writing.
   */
  private async read(
    source: EventSource,
    hole: Hole,
    signal: AbortSignal,
  ): Promise<{ readonly left: Hole | null; readonly error: Error }> {
    let left: Hole | null = hole;
    const sink = new CheckpointSink(hole.first, async (batch) => {
      await this.letNewEventsPass();
      // The source links the checkpoints to one another; this shows which ledger they are of.
      await this.sources.requireSameLedger(source);
      left = await this.writer.fill(left!, batch);
      this.progress.written.backfilled += batch.records.length;
    });
    const done = new AbortController();
    const stopped = AbortSignal.any([signal, sink.failed, done.signal]);
    let error: Error = new UpstreamFailed('the ledger node has ended the stream');
    let isRead = false;
    try {
      await this.sources.requireSameLedger(source);
      await requireKept(source, hole.first);
      const { from, before } = await beginAt(source, hole.first);
      for await (const records of source.follow(from, stopped, new CheckpointChain(before))) {
        const next = records.filter((record) => isFrom(record, hole.first));
        const inside = next.filter((record) => !isFrom(record, hole.end));
        await sink.push(inside);
        isRead = inside.length < next.length || next.some((one) => endsHole(one, hole));
        if (isRead) break;
      }
    } catch (caught) {
      error = await this.sources.explain(source, caught as Error);
    } finally {
      done.abort();
    }
    await sink.settled();
    const rest = left as Hole | null;
    if (sink.failed.aborted) {
      const reason: unknown = sink.failed.reason;
      if (reason instanceof UpstreamFailed) return { left: rest, error: reason };
      throw reason;
    }
    if (!isRead || rest === null) return { left: rest, error };
    const foreign = await this.sources.requireSameLedger(source).then(
      () => null,
      (reason: Error) => reason,
    );
    if (foreign !== null) return { left: rest, error: foreign };
    // The node's next event is beyond the hole.
    await this.writer.close(rest);
    return { left: null, error };
  }

  /** Separates the checkpoints that no node delivers from those after them. */
  private async setApart(hole: Hole, lacks: readonly UnsupportedByUpstream[]): Promise<void> {
    const { reason, detail } = explainLacks(lacks);
    const end = await findDeliverable(this.sources, hole.first, lacks);
    const isInside = end.position > hole.first.position && end.position < hole.end.position;
    if (isInside) await this.writer.split(hole, end);
    const part: Hole = isInside ? { ...hole, end } : hole;
    const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** part.attempts, MAX_RETRY_SECONDS);
    await this.writer.postpone(part, reason, detail, seconds);
    this.logger.warn(
      { firstCheckpoint: part.first.checkpoint, reason, retrySeconds: seconds },
      'No ledger node delivers events that the index misses',
    );
  }

  private async letNewEventsPass(): Promise<void> {
    const deadline = performance.now() + MAX_PAUSE_MS;
    while (this.progress.pending() && performance.now() < deadline) await delay(PAUSE_MS);
  }
}

function endsHole({ event }: { readonly event: object }, { end }: Hole): boolean {
  return 'checkpoint' in event && Number(event.checkpoint) >= end.checkpoint - 1;
}
