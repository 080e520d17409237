import type {
  ExplainedJob,
  ExplainedOnLedger,
  ReservationTrace,
  TransactionVerdict,
} from '@forecourt/contracts';
import type { LoggedDecision } from './find-decisions.js';

/** What was found out about a transaction or a reservation. */
export interface TransactionFacts {
  /** The digest that was asked for; null: a reservation was. */
  readonly asked: string | null;
  /** The transaction that this is about; null: the reservation was never used for one. */
  readonly digest: string | null;
  readonly trace: ReservationTrace | null;
  /** Null: this gateway keeps no file of them. */
  readonly decisions: readonly LoggedDecision[] | null;
  readonly onLedger: ExplainedOnLedger | 'unreachable' | null;
  readonly job: ExplainedJob | null;
  /** Where it is needed, the ledger's epoch; null: it is not known. */
  readonly epoch: number | null;
  /** Sponsors that have a pool here. */
  readonly sponsors: readonly string[];
}

/** What the facts mean and what to do, in sentences. */
export interface Conclusion {
  readonly verdict: TransactionVerdict;
  readonly meaning: string;
  readonly advice: string;
}

export const NOTHING_TO_DO = 'Nothing has to be done.';

export function conclude(
  verdict: TransactionVerdict,
  meaning: string,
  advice = NOTHING_TO_DO,
): Conclusion {
  return { verdict, meaning, advice };
}

/** A time for people. `ms`: since 1970. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
