import type { EventCriterion, EventId } from '@forecourt/contracts';
import type { CheckpointRange, Checkpoints } from './checkpoints.js';

export interface Search {
  readonly criterion: EventCriterion;
  /** The start; null: the end of the ledger where the direction starts. */
  readonly cursor: EventId | null;
  readonly descending: boolean;
}

export interface SearchedRange extends CheckpointRange {
  /** Position of the first transaction in the direction of the search; null: that of the range. */
  readonly startTxSeq: number | null;
  /** The search continues below the lowest checkpoint that the node has. */
  readonly isCut: boolean;
}

/**
 * The checkpoints to search that the node has; null if there are none. Throws `HistoryPruned` if the search begins with
 * checkpoints that it no longer has.
 */
export async function findRange(
  checkpoints: Checkpoints,
  { criterion, cursor, descending }: Search,
): Promise<SearchedRange | null> {
  const startTxSeq = cursor?.txSeq ?? null;
  const latest = await checkpoints.latest();
  const lowest = await checkpoints.lowest();
  const { from, to, isCut } =
    criterion.key === 'TimeRange'
      ? await findTimeRange(checkpoints, criterion.value, { lowest, latest })
      : { from: lowest, to: latest, isCut: lowest > 0 };
  const begin = cursor && (await checkpoints.containing(cursor.txSeq));
  if (descending) {
    if (isCut && to < lowest) throw await checkpoints.pruned(lowest);
    const first = Math.min(to, begin ?? to);
    return first < from ? null : { first, last: from, descending, startTxSeq, isCut };
  }
  if (isCut && cursor === null) throw await checkpoints.pruned(lowest);
  if (cursor !== null && begin === null) return null;
  const first = Math.max(from, begin ?? from);
  return to < first ? null : { first, last: to, descending, startTxSeq, isCut: false };
}

async function findTimeRange(
  checkpoints: Checkpoints,
  { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
  { lowest, latest }: { readonly lowest: number; readonly latest: number },
): Promise<{ readonly from: number; readonly to: number; readonly isCut: boolean }> {
  const oldestTime = Number((await checkpoints.get(lowest)).timestampMs);
  const after = await checkpoints.firstAt(endTime + 1);
  return {
    from: (await checkpoints.firstAt(startTime)) ?? latest + 1,
    to: after === null ? latest : after - 1,
    // An earlier checkpoint may have the same time.
    isCut: lowest > 0 && startTime <= oldestTime,
  };
}
