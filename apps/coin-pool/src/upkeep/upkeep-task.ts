import type { DueUpkeep } from '@forecourt/coin-store';

/**
 * A split, consolidation or withdrawal was refused, or cost gas without a result, or a pool could not be
 * rebuilt: an immediate repetition would not help.
 */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}

/** The time in which one process leads a pool. */
export class Term {
  /** The ledger was searched for coins at least once. */
  hasAdopted = false;
  /** The pool was filled to its target at least once. */
  isFilled = false;
  /** The whole pool was checked for lost keys. */
  isExamined = false;
  /** Number of searches for new coins. */
  searches = 0;
}

/** A leader's look at its pool: the work that is due. */
export interface Look extends DueUpkeep {
  readonly sponsor: string;
  readonly term: Term;
  /** Aborted when the leader stops. */
  readonly stopped: AbortSignal;
}

/** A periodic maintenance task. */
export interface UpkeepTask {
  readonly name: string;
  /** Least time between the beginnings of two runs. */
  readonly everyMs: number;
  readonly isDue: (look: Look) => boolean;
  readonly run: (look: Look) => Promise<unknown>;
  /** It makes coins available or signs for them: it is skipped while coins are suspended. */
  readonly skipsSuspended?: boolean;
}
