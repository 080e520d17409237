import type { GasCoinReference } from '../gas-coin-reference.js';

export const transactionVerdicts = [
  'reserved',
  'released',
  'expired',
  'claimed',
  'executing',
  'quarantined',
  'refused',
  'replaced',
  'denied',
  'not_executed',
  'executed',
  'succeeded',
  'failed',
  'maintenance',
  'not_sponsored',
] as const;
/** The outcome of a transaction or a reservation, in one word. */
export type TransactionVerdict = (typeof transactionVerdicts)[number];

/** Amounts are decimal texts in the smallest unit; times are milliseconds since 1970. */
export interface ExplainedReservation {
  readonly reservation_id: number;
  readonly sponsor_address: string;
  /** Name of the token. */
  readonly caller: string;
  readonly state: string;
  readonly gas_budget: number;
  readonly reserve_duration_secs: number;
  readonly reserved_at: number;
  readonly expires_at: number;
  /** Empty once the reservation is over. */
  readonly gas_coins: readonly GasCoinReference[];
  readonly digest: string | null;
  /** How often it was claimed for a transaction; claims that were given up before they were made count too. */
  readonly claims: number;
  readonly begun_at: number | null;
  readonly executor: string | null;
  readonly rule: string | null;
  /** Gateways with a client that waits for the outcome. */
  readonly waiters: number;
  /** The amounts that a transaction in flight counts in limits; afterwards they are corrected to its cost. */
  readonly usage: readonly {
    readonly counter: string;
    readonly counts: string;
    readonly amount: string;
    readonly used: string;
  }[];
  readonly refusal: {
    readonly digest: string;
    readonly message: string;
    readonly quarantine_ends_after_epoch: number | null;
    readonly moved_on_by: string | null;
  } | null;
  /** How long this record is still kept; null: until the reservation ends. */
  readonly kept_for_secs: number | null;
}

export interface ExplainedJob {
  readonly id: string;
  /** As the queue names it: waiting, active, delayed, … */
  readonly state: string;
  readonly attempts: number;
  readonly enqueued_at: number;
  readonly last_error: string | null;
}

/** The ledger's record of the digest. */
export interface ExplainedOnLedger {
  readonly status: string;
  readonly error: string | null;
  readonly epoch: string;
  /** Negative when the rebate exceeded the cost. */
  readonly gas_charged: string;
  /** Null: the node that serves reads does not show them. */
  readonly sender: string | null;
  readonly gas_owner: string | null;
}

/** Answer of `GET /v1/explain`. */
export interface ExplainResponse {
  readonly result: {
    readonly verdict: TransactionVerdict;
    /** An explanation in sentences. */
    readonly meaning: string;
    /** Recommended actions in sentences. */
    readonly advice: string;
    /** Base58; null: the reservation was never used for a transaction. */
    readonly digest: string | null;
    readonly reservation: ExplainedReservation | null;
    readonly job: ExplainedJob | null;
    /** `unreachable`: no node answered; null: the ledger does not know the digest, or none was looked up. */
    readonly ledger: ExplainedOnLedger | 'unreachable' | null;
    /** Lines of the access audit, as they were written; null: the gateway that was asked keeps no file of them. */
    readonly decisions: readonly object[] | null;
  };
}
