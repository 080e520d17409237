import type { RequestType } from '../http/execute-tx.js';
import type { GasCoinReference } from '../gas-coin-reference.js';

/**
 * What the gateway asks of the coin-pool over Nest's TCP transport, by message pattern. Objects: a pattern of plain text
 * makes Nest raise and catch a syntax error for every message. Errors come back as `ErrorMessage`.
 */
export const coinPoolPatterns = {
  reserveGas: { cmd: 'reserve-gas' },
  findReservation: { cmd: 'find-reservation' },
  claimReservation: { cmd: 'claim-reservation' },
  releaseReservation: { cmd: 'release-reservation' },
  checkPool: { cmd: 'check-pool' },
} as const;

export type CoinPoolPattern = (typeof coinPoolPatterns)[keyof typeof coinPoolPatterns];

/** Every message also carries the id of the request it is sent for, where there is one, for the log. */
export interface WithRequestId {
  readonly requestId?: string | number;
}

/** What one caller may have reserved; null: no limit. Budgets in the smallest unit. */
export interface ReservationLimits {
  /** At once. */
  readonly coins: number | null;
  readonly budget: number | null;
  readonly coinsPerMinute: number | null;
  readonly budgetPerMinute: number | null;
  /** At once, in percent of the coins that are free or the caller's own. */
  readonly poolShare: number | null;
}

/** How many transactions of one caller may end in quarantine, where they hold coins, in a window that slides. */
export interface QuarantineLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** `reserve-gas`. Raises NO_COINS, POOL_REFUSED, RESERVATION_LIMIT. */
export interface ReserveGasMessage {
  readonly caller: string;
  /** Absent: the caller has none. */
  readonly limits?: ReservationLimits;
  /** Which sponsor pays; absent: the pool's first. */
  readonly sponsor?: string;
  readonly gasBudget: number;
  readonly durationSecs: number;
}
export interface ReservedGas {
  readonly reservationId: number;
  readonly sponsor: string;
  readonly coins: readonly GasCoinReference[];
  /** Milliseconds since 1970 by Redis's clock. */
  readonly deadlineMs: number;
}

/** A gateway process that wants to hear of an outcome, and how long its client waits. */
export interface Waiter {
  /** Id of the gateway process: names its reply channel. */
  readonly gateway: string;
  readonly requestType: RequestType;
}

/** `find-reservation`. Attaches the waiter when `digest` is in flight. */
export interface FindReservationMessage {
  readonly caller: string;
  readonly reservationId: number;
  readonly digest: string;
  readonly waiter: Waiter;
}
/** Where a reservation stands. `expired` holds for one that was swept and for one that waits for the sweep. */
export type ReservationState =
  'reserved' | 'expired' | 'released' | 'claimed' | 'executing' | 'quarantined' | 'executed';
export interface FoundReservation {
  readonly reservationId: number;
  readonly sponsor: string;
  readonly state: ReservationState;
  readonly gasBudget: number;
  readonly durationSecs: number;
  readonly coins: readonly GasCoinReference[];
  /** What is left of the coins after the whole budget may be too little to sponsor with. */
  readonly mayLeaveDust: boolean;
  /** The transaction it is bound to; null while reserved, expired or released. */
  readonly digest: string | null;
  /** Counts the claims of this reservation; the fencing number of a job. */
  readonly fence: number;
  /** The last refusal by the ledger, kept for those who waited on it. */
  readonly refusal: {
    readonly digest: string;
    readonly fence: number;
    readonly message: string;
  } | null;
}

/**
 * `everHeld` tells why there is nothing to show: `true`, the reservation is another caller's; `false`, there is no
 * record (never made, or its retention is over), so that only the ledger can know the transaction.
 */
export type FindReservationReply =
  { readonly found: FoundReservation } | { readonly found: null; readonly everHeld: boolean };

/**
 * `claim-reservation`. Binds the reservation to a transaction all of whose ledger-free checks have passed.
 * Raises RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT.
 */
export interface ClaimReservationMessage {
  readonly caller: string;
  readonly reservationId: number;
  readonly digest: string;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly waiter: Waiter;
  /** Name of the access rule that allowed it; empty where none did. */
  readonly rule: string;
  /** `objectId:version` of inputs that no other transaction in flight may use. */
  readonly inputs: readonly string[];
  /** Counters that must stand as supposed, and in which the transaction is then counted. */
  readonly usage: readonly ExpectedUsage[];
  /** Absent: the caller has none. */
  readonly quarantineLimit?: QuarantineLimit;
}

/** What a claim supposes of one counter. Amounts are decimal texts. */
export interface ExpectedUsage {
  readonly counter: string;
  /** Gas is corrected to what was charged when the transaction settles. */
  readonly counts: 'gas' | 'requests';
  /** What the transaction adds. */
  readonly amount: string;
  readonly operator: '=' | '!=' | '<' | '>' | '<=' | '>=';
  readonly limit: string;
  /** A window begins with the first use. */
  readonly windowMs: number;
  /** Whether what is used, with this transaction, compares so with the limit. */
  readonly expected: boolean;
  /** Whether the transaction is to be counted. */
  readonly held: boolean;
}

/** How a counter stands. */
export interface CurrentUsage {
  readonly counter: string;
  /** Decimal text. */
  readonly used: string;
  /** How long its window lasts yet; 0 when none has begun. */
  readonly endsInMs: number;
}

/**
 * `claimed: false` with `found`: the same transaction had claimed it before; its waiter is attached, `found` says where it
 * stands. With `usages`: a counter did not stand as supposed and nothing was changed; all of them, as they stand.
 */
export type ClaimedReservation =
  | { readonly claimed: true; readonly sponsor: string; readonly fence: number }
  | { readonly claimed: false; readonly found: FoundReservation; readonly usages: null }
  | { readonly claimed: false; readonly found: null; readonly usages: readonly CurrentUsage[] };

/** `release-reservation`. Gives the coins of an unused reservation back at once. Raises RESERVATION_UNKNOWN. */
export interface ReleaseReservationMessage {
  readonly caller: string;
  readonly reservationId: number;
}

/** `check-pool`. Reserves, signs an unsubmittable message, asks the ledger and gives the coin back. Empty both ways. */
export type CheckPoolMessage = Record<string, never>;
