import { setTimeout as delay } from 'node:timers/promises';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import type { ClientBase } from 'pg';
import type { EventSource } from '../../upstreams/event-source.js';
import { CheckpointChain } from '../../upstreams/checkpoint-chain.js';
import { ChainBroken } from '../../upstreams/chain-broken.js';
import type { SealedCheckpoint } from '../../upstreams/sealed-checkpoint.js';
import { UnsupportedByUpstream } from '../../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../../upstreams/upstream-failed.js';
import { describeCheckpoints, type Hole, isFrom, type Place } from '../store/indexed-ledger.js';
import { CheckpointSink } from './checkpoint-sink.js';
import type { IndexOpening } from './index-opening.js';
import type { IndexProgress } from './index-progress.js';
import {
  type IndexSources,
  beginAt,
  explainLacks,
  findDeliverable,
  requireKept,
} from './index-sources.js';
import { OtherLedger } from './other-ledger.js';
import type { IndexWriter } from './index-writer.js';
import { Lacks } from './lacks.js';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/**
 * How often every node must have failed to deliver the next checkpoint before the index continues without it.
 */
const ROUNDS = 5;

/**
 * A session of the only process that writes. It holds a lock that ends with it, and everything that is
 * written at the end of the index is written in it: a process that has lost the lock has lost the means to
 * write as well.
 */
export interface WriterSession {
  readonly client: ClientBase;
  /** Aborts when the session has ended. */
  readonly ended: AbortSignal;
}

/** The index cannot be written; the session must end. */
class IndexUnwritable extends Error {
  override readonly name = 'IndexUnwritable';
}

/** Writes every new checkpoint to the end of the index, whichever node delivers it. */
export class LedgerFollower {
  readonly #lacks: Lacks;
  readonly #failing: OutageLog;
  /** Whether a node has shown checkpoints that do not continue the index. */
  #isContradicted = false;

  constructor(
    private readonly sources: IndexSources,
    private readonly opening: IndexOpening,
    private readonly writer: IndexWriter,
    private readonly progress: IndexProgress,
    private readonly logger: Logger,
  ) {
    this.#lacks = new Lacks(sources);
    this.#failing = new OutageLog(logger, {
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
        const { end, sealed } = await this.open(session, source);
        place = end;
        await this.copy(session, source, { end, sealed }, ended);
      } catch (caught) {
        if (ended.aborted) break;
        const error = await this.sources.explain(source, caught as Error);
        if (error instanceof IndexUnwritable) throw error.cause;
        if (error instanceof OtherLedger) this.progress.otherLedger = true;
        if (error instanceof ChainBroken) this.#isContradicted = true;
        this.#failing.report({ upstream: source.name, error: error.message });
        this.#lacks.add(source, error instanceof UnsupportedByUpstream ? error : null);
        await this.skipUndeliverable(session);
      }
      const hasAdvanced = place !== null && this.progress.end?.position !== place.position;
      retryMs = hasAdvanced ? FIRST_RETRY_MS : Math.min(2 * retryMs, MAX_RETRY_MS);
      await delay(retryMs, undefined, { signal: ended }).catch(() => undefined);
    }
    if (session.ended.aborted) throw session.ended.reason;
  }

  /** Where the index continues, and its last checkpoint; null: that is not known. */
  private async open({ client }: WriterSession, source: EventSource) {
    try {
      const { ledger, end, sealed } = await this.opening.open(client, source, this.#isContradicted);
      this.#isContradicted = false;
      this.progress.opened(ledger.identity, end, ledger.endAt);
      return { end, sealed };
    } catch (error) {
      throw error instanceof UpstreamFailed ? error : unwritable(error);
    }
  }

  private async copy(
    session: WriterSession,
    source: EventSource,
    { end: place, sealed }: { readonly end: Place; readonly sealed: SealedCheckpoint | null },
    ended: AbortSignal,
  ): Promise<void> {
    await requireKept(source, place);
    const digests = new Map<number, string>();
    const { from, before } = await beginAt(source, place);
    const chain = new CheckpointChain(sealed ?? before, ({ number, digest }) =>
      digests.set(number, digest),
    );
    let isLinked = sealed !== null;
    const sink = new CheckpointSink(place, async (batch) => {
      // Nothing else shows which ledger the first checkpoints are of, or those of a dialect without digests.
      if (!isLinked) await this.sources.requireSameLedger(source);
      const last = batch.end.checkpoint - 1;
      const digest = digests.get(last) ?? null;
      for (const number of digests.keys()) if (number <= last) digests.delete(number);
      await this.writer.append(session.client, batch, digest);
      isLinked = digest !== null;
      this.progress.wrote(batch, source.name);
      this.#lacks.clear();
      this.#failing.end();
    });
    this.progress.pending = () => sink.isBehind;
    const watch = watchLag(this.sources, source, () => this.progress.end!.checkpoint);
    let failure: Error | null = null;
    try {
      const stopped = AbortSignal.any([ended, sink.failed, watch.fellBehind]);
      for await (const records of source.follow(from, stopped, chain)) {
        this.progress.connected(source.name);
        await sink.push(records.filter((record) => isFrom(record, place)));
      }
    } catch (error) {
      failure = error as Error;
    } finally {
      watch.stop();
    }
    await sink.settled();
    if (sink.failed.aborted) {
      const reason: unknown = sink.failed.reason;
      throw reason instanceof UpstreamFailed ? reason : unwritable(reason);
    }
    if (failure !== null) throw failure;
    watch.fellBehind.throwIfAborted();
  }

  /** Records the next checkpoints as a hole if no node delivers them, and continues after it. */
  private async skipUndeliverable({ client }: WriterSession): Promise<void> {
    const lacks = this.#lacks.conclude(ROUNDS);
    const first = this.progress.end;
    if (lacks === null || first === null) return;
    const end = await findDeliverable(this.sources, first, lacks).catch((error: unknown) => {
      this.#failing.report({ error: (error as Error).message });
      return null;
    });
    this.#lacks.clear();
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

/** How long a node may stand still while another one is ahead. */
const LOOK_EVERY_MS = 5_000;
/** Nodes of one network are seldom further apart. */
const AHEAD = 20;

interface LagWatch {
  /**
   * Aborts with an `UpstreamFailed` when the node stands still although another one is ahead, or because it
   * is on another ledger by now.
   */
  readonly fellBehind: AbortSignal;
  stop(): void;
}

/** Watches the node in use. `written`: the number of the next checkpoint. */
function watchLag(
  sources: IndexSources,
  inUse: EventSource,
  written: () => number,
  everyMs = LOOK_EVERY_MS,
): LagWatch {
  const behind = new AbortController();
  const others = sources.all.filter((source) => source !== inUse);
  let before = written();
  const look = async () => {
    const next = written();
    const hasAdvanced = next > before;
    before = next;
    if (hasAdvanced) return;
    await sources.requireSameLedger(inUse).catch((error: unknown) => {
      if (error instanceof OtherLedger) behind.abort(error);
    });
    for (const source of others) {
      await sources.requireSameLedger(source);
      const latest = await source.latestCheckpoint();
      if (latest === null || latest < next + AHEAD || written() > next) continue;
      const why = `stands still at checkpoint ${next - 1}, while ${source.name} has ${latest}`;
      behind.abort(new UpstreamFailed(`${inUse.name} ${why}`));
      return;
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return { fellBehind: behind.signal, stop: () => clearInterval(timer) };
}
