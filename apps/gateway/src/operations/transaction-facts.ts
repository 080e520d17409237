import type { ReservationTrace } from '@forecourt/contracts';
import type {
  ExplainedJob,
  ExplainedOnLedger,
  LookupFailure,
  TransactionVerdict,
} from '@forecourt/contracts/http';
import type { LoggedDecision } from './logged-decisions.js';

/** The records of a transaction or a reservation. */
export interface TransactionFacts {
  /** The digest in the operator's question; null: the question is about a reservation. */
  readonly query: string | null;
  /** The transaction in question; null: the reservation was never used for one. */
  readonly digest: string | null;
  readonly trace: ReservationTrace | null;
  /** Null: this gateway keeps no file of them. */
  readonly decisions: readonly LoggedDecision[] | null;
  readonly onLedger: ExplainedOnLedger | LookupFailure | null;
  readonly job: ExplainedJob | null;
  /** The ledger's epoch, for a quarantine; null: it is unknown or not needed. */
  readonly epoch: number | null;
  /** Sponsors that have a pool here. */
  readonly sponsors: readonly string[];
}

/** The meaning of the facts and the recommended actions, in sentences. */
export interface Conclusion {
  readonly verdict: TransactionVerdict;
  readonly meaning: string;
  readonly advice: string;
}

const NOTHING_TO_DO = 'Nothing needs to be done.';

export function conclude(
  verdict: TransactionVerdict,
  meaning: string,
  advice = NOTHING_TO_DO,
): Conclusion {
  return { verdict, meaning, advice };
}

/** `ms`, since 1970, in ISO 8601. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
