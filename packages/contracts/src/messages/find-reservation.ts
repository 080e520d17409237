import type { GasCoinReference } from '../gas-coin-reference.js';
import { IsDto } from '../validation/is-dto.js';
import { IsPositiveInteger } from '../validation/is-integer-between.js';
import { IsName } from '../validation/is-text.js';
import { Waiter } from './waiter.js';

/** `find-reservation`. Attaches the waiter when `digest` is in flight. */
export class FindReservationMessage {
  @IsName()
  readonly caller!: string;

  @IsPositiveInteger()
  readonly reservationId!: number;

  @IsName()
  readonly digest!: string;

  @IsDto(Waiter)
  readonly waiter!: Waiter;
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
  /** Empty once the reservation is over. */
  readonly coins: readonly GasCoinReference[];
  /** What is left of the coins after the whole budget may be too little to sponsor with. */
  readonly mayLeaveDust: boolean;
  /** The transaction it is bound to; null while reserved, expired or released. */
  readonly digest: string | null;
  /** Counts the claims of this reservation; the fence of its job. */
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
