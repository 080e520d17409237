import { BeforeIndex, InHole } from './index-errors.js';
import type { LedgerAround } from '../store/indexed-ledger.js';

/** Positions that a query wants, both ends included, from `start` in its direction. */
export interface WantedRange {
  readonly start: number;
  /** The last one in the direction. */
  readonly last: number;
  readonly descending: boolean;
}

/** The part of a wanted range that the index holds without interruption. */
export interface HeldRange {
  /** Positions from `low` to before `high`. */
  readonly low: number;
  readonly high: number;
  /** The error for the wanted positions after this part, which begin at the cursor. Null: the part is everything. */
  readonly lacks: { readonly error: BeforeIndex | InHole; readonly cursor: number } | null;
}

/** Throws `BeforeIndex` or `InHole` if the index does not hold the beginning of the range. `held`: what it holds around `start`. */
export function findHeldRange(held: LedgerAround, wanted: WantedRange): HeldRange {
  return wanted.descending ? findOlder(held, wanted) : findNewer(held, wanted);
}

function findNewer({ first, end, hole }: LedgerAround, { start, last }: WantedRange): HeldRange {
  if (start < first.position && start <= last) throw new BeforeIndex(first);
  const high = Math.min(last + 1, end.position);
  if (hole === null || hole.first.position >= high) return { low: start, high, lacks: null };
  if (hole.first.position <= start) {
    if (start < high) throw new InHole(hole);
    return { low: start, high, lacks: null };
  }
  const { position } = hole.first;
  return { low: start, high: position, lacks: { error: new InHole(hole), cursor: position } };
}

function findOlder({ first, end, hole }: LedgerAround, { start, last }: WantedRange): HeldRange {
  const high = Math.min(start, end.position - 1) + 1;
  if (high <= last) return { low: high, high, lacks: null };
  if (high <= first.position && first.position > 0) throw new BeforeIndex(first);
  if (hole !== null && hole.end.position > last && hole.first.position < high) {
    if (hole.end.position >= high) throw new InHole(hole);
    const { position } = hole.end;
    return { low: position, high, lacks: { error: new InHole(hole), cursor: position - 1 } };
  }
  if (first.position > last) {
    const { position } = first;
    return { low: position, high, lacks: { error: new BeforeIndex(first), cursor: position - 1 } };
  }
  return { low: last, high, lacks: null };
}
