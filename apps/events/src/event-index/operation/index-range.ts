import { type CheckpointRange, ForecourtError } from '@forecourt/contracts';
import { UpstreamFailed, UnsupportedByUpstream } from '../../upstreams/upstream-errors.js';
import type { IndexedLedger } from '../store/indexed-ledger.js';

/** Throws INVALID_REQUEST unless the range ends where the index has begun to hold something. */
export function requireRange(
  { first_checkpoint: first, last_checkpoint: last }: CheckpointRange,
  ledger: IndexedLedger | null,
): asserts ledger is IndexedLedger {
  if (ledger === null) throw refused('the index of events has not begun yet');
  if (last < first) throw refused(`last_checkpoint must be at least first_checkpoint, ${first}`);
  const newest = ledger.end.checkpoint - 1;
  if (last > newest) throw refused(`the index ends with checkpoint ${newest}`);
}

export function refused(why: string): ForecourtError {
  return new ForecourtError('INVALID_REQUEST', why);
}

/** The error for an operator when nodes fail or lack something. */
export function refusedByNodes(error: unknown): unknown {
  if (error instanceof UnsupportedByUpstream) return refused(error.message);
  return error instanceof UpstreamFailed
    ? new ForecourtError('LEDGER_UNREACHABLE', '', { cause: error })
    : error;
}
