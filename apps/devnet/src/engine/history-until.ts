import type { CheckpointRecord, ExecutedTransaction, Listing } from './engine-interface.js';

interface Log<T> {
  list(listing: Listing): readonly T[];
}

/** Lists transactions as if the ledger had only the first `count`. */
export function listTransactionsUntil(
  log: Log<ExecutedTransaction>,
  count: number,
  listing: Listing,
): readonly ExecutedTransaction[] {
  return log.list(startingBelow(count, listing)).filter(({ sequence }) => sequence < count);
}

/** Lists checkpoints as if `last` were the newest. */
export function listCheckpointsUntil(
  log: Log<CheckpointRecord>,
  last: number,
  listing: Listing,
): readonly CheckpointRecord[] {
  return log
    .list(startingBelow(last + 1, listing))
    .filter(({ sequenceNumber }) => sequenceNumber <= last);
}

function startingBelow(end: number, listing: Listing): Listing {
  if (!listing.descending) return listing;
  return { ...listing, after: Math.min(listing.after ?? end, end) };
}
