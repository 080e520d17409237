import type { EventSource } from '../../upstreams/event-source.js';
import { HistoryPruned, type UnsupportedByUpstream } from '../../upstreams/upstream-errors.js';
import { type HoleReason, type Place, positionOf } from '../store/place.js';
import { placeOf } from './index-beginning.js';
import type { IndexSources } from './index-sources.js';

/** Where the ledger continues for nodes that all lack the checkpoint at `first`. Throws if no node answers. */
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
