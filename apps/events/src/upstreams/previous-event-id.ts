import type { EventId } from '@forecourt/contracts';

/** The largest `eventSeq` that a cursor can hold. */
const LARGEST_EVENT_SEQ = 2 ** 14 - 1;

/** The greatest id below `id` that a cursor can name; null below the first. */
export function previousEventId({ txSeq, eventSeq }: EventId): EventId | null {
  if (eventSeq > 0) return { txSeq, eventSeq: eventSeq - 1 };
  return txSeq > 0 ? { txSeq: txSeq - 1, eventSeq: LARGEST_EVENT_SEQ } : null;
}
