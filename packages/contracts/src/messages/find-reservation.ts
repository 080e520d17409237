import { IsBoolean, IsNumber, IsOptional, ValidateIf } from 'class-validator';
import {
  IsArrayOfDtos,
  IsDto,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
  IsText,
  MAX_MESSAGE_LENGTH,
  TRACEPARENT,
} from '../dto/index.js';
import { type RequestType, requestTypes } from '../request-limits.js';
import { GasCoinReference } from './reserve-gas.js';

/** A gateway process that waits for an outcome, with the request type of its client. */
export class Waiter {
  /** Id of the gateway process: names its reply channel. */
  @IsName() readonly gateway!: string;
  @IsOneOf(requestTypes) readonly requestType!: RequestType;
}

/** `find-reservation`. Looks up a reservation, and attaches the waiter if `digest` is in flight. */
export class FindReservationMessage {
  @IsName() readonly caller!: string;
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsDto(Waiter) readonly waiter!: Waiter;

  /** These two are passed on to the job of the claim. */
  @IsOptional() @IsName() readonly requestId?: string;
  @IsOptional() @IsText(TRACEPARENT) readonly traceparent?: string;
}

export const reservationStates = [
  'reserved',
  'expired',
  'released',
  'claimed',
  'executing',
  'quarantined',
  'executed',
] as const;
/** The state of a reservation. `expired`: its deadline has passed, whether or not it has been swept. */
export type ReservationState = (typeof reservationStates)[number];

/** The ledger's refusal of one claim of a reservation. */
class LedgerRefusal {
  @IsName() readonly digest!: string;

  /** Of the refused claim; 0 while its transaction may still be executed: the refusal is not final. */
  @IsNatural() readonly fence!: number;

  /** Empty: no node reported the outcome. */
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH }) readonly message!: string;
}

export class FoundReservation {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly sponsor!: string;
  @IsOneOf(reservationStates) readonly state!: ReservationState;
  @IsNatural() readonly gasBudget!: number;
  @IsNumber() readonly durationSecs!: number;

  /** Empty once the reservation is over. */
  @IsArrayOfDtos(GasCoinReference) readonly coins!: readonly GasCoinReference[];

  /** If the whole budget is used, the rest of the coins may be dust. */
  @IsBoolean() readonly mayLeaveDust!: boolean;

  /** The transaction it is bound to; null while reserved, expired or released. */
  @IsOptional() @IsName() readonly digest!: string | null;

  /** Counts the claims of this reservation; the fence of its job. */
  @IsNatural() readonly fence!: number;

  /** The last refusal by the ledger, kept for the waiters. */
  @IsOptional() @IsDto(LedgerRefusal) readonly refusal!: LedgerRefusal | null;
}

/**
 * `everHeld` gives the reason if nothing is found: `true`, the reservation belongs to another caller;
 * `false`, no record exists (the reservation never existed, or its retention has ended), so that only the
 * ledger can know the transaction.
 */
export type FindReservationReply =
  { readonly found: FoundReservation } | { readonly found: null; readonly everHeld: boolean };

/** The fields of every reply to `find-reservation`. */
export class FindReservationReplyFields {
  @IsOptional() @IsDto(FoundReservation) readonly found!: FoundReservation | null;

  @ValidateIf(({ found }: FindReservationReplyFields) => !found)
  @IsBoolean()
  readonly everHeld?: boolean;
}

/**
 * The ledger's message for a caller whose transaction can never be executed; `message` is empty where no node
 * gave one.
 */
export function describeRefusal({ message }: { readonly message: string }): string {
  if (message !== '') return message;
  return 'The transaction was not executed before the epoch of its submission ended, and can no longer be executed';
}
