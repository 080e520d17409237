import { type EventId, FIRST_EVENT_ID } from '@forecourt/contracts';
import {
  type EventSource,
  type LedgerIdentity,
  isOtherLedger,
} from '../../upstreams/event-source.js';
import type { SealedCheckpoint } from '../../upstreams/sealed-checkpoint.js';
import { HistoryPruned } from '../../upstreams/history-pruned.js';
import { UnsupportedByUpstream } from '../../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../../upstreams/upstream-failed.js';
import {
  eventAt,
  type Place,
  positionOf,
  startOf,
  type HoleReason,
} from '../store/indexed-ledger.js';
import { OtherLedger } from './other-ledger.js';

/** The nodes that the index is written from, in order of preference. */
export class IndexSources {
  constructor(
    readonly all: readonly EventSource[],
    private readonly identity: () => LedgerIdentity | null,
  ) {}

  /** Throws `OtherLedger`. */
  async requireSameLedger(source: EventSource): Promise<void> {
    const known = this.identity();
    const reported = await source.ledgerIdentity();
    if (known !== null && isOtherLedger(known, reported)) throw new OtherLedger(source.name);
  }

  /** The error itself, unless it says what a node of another ledger lacks by now, which proves nothing. */
  async explain(source: EventSource, error: Error): Promise<Error> {
    if (!(error instanceof UnsupportedByUpstream)) return error;
    return this.requireSameLedger(source).then(
      () => error,
      (reason: Error) => reason,
    );
  }

  /** The first answer. Throws the last node's error. */
  async ask<T>(question: (source: EventSource) => Promise<T>): Promise<T> {
    let failure: unknown = new UpstreamFailed('no ledger node');
    for (const source of this.all) {
      try {
        await this.requireSameLedger(source);
        const answer = await question(source);
        await this.requireSameLedger(source);
        return answer;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

export async function placeOf(source: EventSource, checkpoint: number): Promise<Place> {
  return { checkpoint, position: positionOf(await source.firstTransactionOf(checkpoint)) };
}

/**
 * Where a source begins to deliver everything from a place on. Events of empty checkpoints have the id of a
 * transaction before them: a node that has pruned that one delivers the events of transactions only, until
 * there is a next one.
 */
export async function beginAt(
  source: EventSource,
  place: Place,
): Promise<{ readonly from: EventId; readonly before: SealedCheckpoint | null }> {
  if (place.checkpoint === 0) return { from: FIRST_EVENT_ID, before: null };
  try {
    const number = place.checkpoint - 1;
    for await (const [before] of source.checkpoints(number, number)) {
      return { from: startOf(place), before: before ?? null };
    }
    return { from: startOf(place), before: null };
  } catch (error) {
    if (!(error instanceof UnsupportedByUpstream)) throw error;
    return { from: eventAt(place.position), before: null };
  }
}

/**
 * Where the ledger continues for nodes that all lack the checkpoint at `first`. Throws if no node answers.
 */
export async function findDeliverable(
  sources: IndexSources,
  first: Place,
  lacks: readonly UnsupportedByUpstream[],
): Promise<Place> {
  const pruned = lacks.filter((lack) => lack instanceof HistoryPruned);
  if (pruned.length < lacks.length) {
    return sources.ask((source) => placeOf(source, first.checkpoint + 1));
  }
  const [earliest] = pruned
    .map((lack) => lack.earliest)
    .sort((a, b) => a.checkpoint - b.checkpoint);
  return { checkpoint: earliest!.checkpoint, position: positionOf(earliest!.txSeq) };
}

/** Why checkpoints are missing: pruning is the reason only if it is everybody's. */
export function explainLacks(lacks: readonly UnsupportedByUpstream[]): {
  readonly reason: HoleReason;
  readonly detail: string;
} {
  const worst = lacks.find((lack) => !(lack instanceof HistoryPruned)) ?? lacks[0]!;
  return { reason: worst.kind === 'unanswerable' ? 'gap' : worst.kind, detail: worst.message };
}

/** Throws `HistoryPruned`: a node of the legacy dialect would begin with a later event without saying so. */
export async function requireKept(source: EventSource, { checkpoint }: Place): Promise<void> {
  const lowest = await source.lowestCheckpoint();
  if (lowest === null || lowest <= checkpoint) return;
  throw new HistoryPruned({ checkpoint: lowest, txSeq: await source.firstTransactionOf(lowest) });
}
