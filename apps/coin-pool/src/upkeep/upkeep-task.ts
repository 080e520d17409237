import type { DueUpkeep } from '@forecourt/coin-store';

/** The time in which one process leads a pool. */
export interface Term {
  /** The ledger was searched for coins at least once. */
  hasAdopted: boolean;
  /** The pool was filled to its target at least once. */
  isFilled: boolean;
  /** The whole pool was checked for lost keys. */
  isExamined: boolean;
  /** Number of searches for new coins. */
  searches: number;
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
