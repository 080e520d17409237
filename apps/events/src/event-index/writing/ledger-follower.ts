import { setTimeout as delay } from 'node:timers/promises';
import { LastingCondition, type Logger } from '@forecourt/runtime/service';
import type { EventSource } from '../../upstreams/event-source.js';
import { UpstreamFailed, UpstreamLacks } from '../../upstreams/upstream-errors.js';
import { CheckpointSink } from './checkpoint-sink.js';
import { type IndexBeginning } from './index-beginning.js';
import type { IndexProgress } from './index-progress.js';
import { type IndexSources, Lacks, OtherLedger } from './index-sources.js';
import type { IndexWriter } from './index-writer.js';
import { describeCheckpoints, eventAt, type Hole, type Place } from '../store/place.js';
import { explainLacks, findDeliverable, requireKept } from './undeliverable.js';
import { watchLag } from './watch-lag.js';
import type { WriterSession } from './writer-session.js';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** How often every node must have failed to deliver the next checkpoint before the index continues without it. */
const ROUNDS = 5;

/** The index cannot be written; the session must end. */
class IndexUnwritable extends Error {
  override readonly name = 'IndexUnwritable';
}

/** Writes every new checkpoint to the end of the index, whichever node delivers it. */
export class LedgerFollower {
  private readonly lacks: Lacks;
  private readonly failing: LastingCondition;

  constructor(
    private readonly sources: IndexSources,
    private readonly beginning: IndexBeginning,
    private readonly writer: IndexWriter,
    private readonly progress: IndexProgress,
    private readonly logger: Logger,
  ) {
    this.lacks = new Lacks(sources);
    this.failing = new LastingCondition(logger, {
      begins: 'The index of events cannot be continued from this node',
      goesOn: 'Still the index of events cannot be continued',
      ends: 'The index of events continues',
    });
  }

  /** Resolves when `signal` aborts. Throws when the session can no longer be used. */
  async follow(session: WriterSession, signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, session.ended]);
    let retryMs = FIRST_RETRY_MS;
    for (let turn = 0; !ended.aborted; turn++) {
      const source = this.sources.all[turn % this.sources.all.length]!;
      let place: Place | null = null;
      try {
        place = await this.open(session, source);
        await this.copy(session, source, place, ended);
      } catch (error) {
        if (ended.aborted) break;
        if (error instanceof IndexUnwritable) throw error.cause;
        if (error instanceof OtherLedger) this.progress.otherLedger = true;
        this.failing.report({ upstream: source.name, error: (error as Error).message });
        this.lacks.add(source, error instanceof UpstreamLacks ? error : null);
        await this.skipUndeliverable(session);
      }
      const hasAdvanced = place !== null && this.progress.end?.position !== place.position;
      retryMs = hasAdvanced ? FIRST_RETRY_MS : Math.min(2 * retryMs, MAX_RETRY_MS);
      await delay(retryMs, undefined, { signal: ended }).catch(() => undefined);
    }
    if (session.ended.aborted) throw session.ended.reason;
  }

  /** Where the index continues. */
  private async open({ client }: WriterSession, source: EventSource): Promise<Place> {
    const { identity, end, endAt } = await this.beginning
      .open(client, source)
      .catch((error: unknown) => {
        throw error instanceof UpstreamFailed ? error : unwritable(error);
      });
    this.progress.opened(identity, end, endAt);
    return end;
  }

  private async copy(
    session: WriterSession,
    source: EventSource,
    place: Place,
    ended: AbortSignal,
  ): Promise<void> {
    await requireKept(source, place);
    const sink = new CheckpointSink(place, async (batch) => {
      await this.writer.append(session.client, batch);
      this.progress.wrote(batch, source.name);
      this.lacks.clear();
      this.failing.end();
    });
    this.progress.pending = () => sink.isBehind;
    const watch = watchLag(this.sources, source, () => this.progress.end!.checkpoint);
    let failure: Error | null = null;
    try {
      const stopped = AbortSignal.any([ended, sink.failed, watch.fellBehind]);
      for await (const records of source.follow(eventAt(place.position), stopped)) {
        this.progress.connected(source.name);
        await sink.push(records);
      }
    } catch (error) {
      failure = error as Error;
    } finally {
      watch.stop();
    }
    await sink.settled();
    if (sink.failed.aborted) throw unwritable(sink.failed.reason);
    if (failure !== null) throw failure;
    watch.fellBehind.throwIfAborted();
  }

  /** Records the next checkpoints as a hole if no node delivers them, and continues after it. */
  private async skipUndeliverable({ client }: WriterSession): Promise<void> {
    const lacks = this.lacks.conclude(ROUNDS);
    const first = this.progress.end;
    if (lacks === null || first === null) return;
    const end = await findDeliverable(this.sources, first, lacks).catch((error: unknown) => {
      this.failing.report({ error: (error as Error).message });
      return null;
    });
    this.lacks.clear();
    if (end === null || end.position <= first.position) return;
    const hole: Hole = { first, end, ...explainLacks(lacks), attempts: 0 };
    await this.writer.skip(client, hole);
    this.logger.error(
      { checkpoints: describeCheckpoints(hole), reason: hole.reason, error: hole.detail },
      'No ledger node delivers the next events; the index continues after them',
    );
  }
}

function unwritable(cause: unknown): IndexUnwritable {
  return new IndexUnwritable('The index of events cannot be written', { cause });
}
