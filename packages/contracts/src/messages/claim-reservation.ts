import { IsArray, IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import {
  IsArrayOfDtos,
  IsBase64Text,
  IsDto,
  IsName,
  IsNatural,
  IsPositiveInteger,
  IsText,
} from '../dto/index.js';
import { MAX_TX_BYTES_LENGTH, MAX_USER_SIG_LENGTH } from '../request-limits.js';
import { CurrentUsage, ExpectedUsage } from './usage-messages.js';
import { FindReservationMessage, FoundReservation } from './find-reservation.js';

/** Maximum number of transactions of one caller that may enter quarantine in a sliding window. */
export class QuarantineLimit {
  @IsNatural() readonly most!: number;
  @IsNatural() readonly windowMs!: number;
}

/**
 * `claim-reservation`. Binds the reservation to a transaction that has passed all checks of the gateway, and
 * enqueues its job. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT,
 * QUARANTINE_LIMIT, POOL_REFUSED, and OUTCOME_UNKNOWN when the claim exists but the queue does not answer.
 */
export class ClaimReservationMessage extends FindReservationMessage {
  @IsBase64Text(MAX_TX_BYTES_LENGTH) readonly txBytes!: string;
  @IsBase64Text(MAX_USER_SIG_LENGTH) readonly userSig!: string;

  /** Name of the access rule that allowed it; empty where none did. */
  @IsText({ minLength: 0 }) readonly rule!: string;

  /** `writeDecisionFacts`, for history. */
  @IsText({ minLength: 0, maxLength: 200 }) readonly facts!: string;

  /** `objectId:version` of inputs that no other transaction in flight may use. */
  @IsArray() @IsName({ each: true }) readonly inputs!: readonly string[];

  /** Counters that must have the expected values, and that then count the transaction. */
  @IsArrayOfDtos(ExpectedUsage) readonly usage!: readonly ExpectedUsage[];

  /** Absent: the caller has none. */
  @IsOptional() @IsDto(QuarantineLimit) readonly quarantineLimit?: QuarantineLimit;
}

/**
 * `claimed: false` with `found`: the same transaction has claimed it before; the waiter is attached, and
 * `found` is the reservation as it is now. With `usages`: a counter did not have the expected value, and
 * nothing was changed; `usages` has the current values of all counters.
 */
export type ClaimedReservation =
  | { readonly claimed: true; readonly sponsor: string; readonly fence: number }
  | { readonly claimed: false; readonly found: FoundReservation; readonly usages: null }
  | { readonly claimed: false; readonly found: null; readonly usages: readonly CurrentUsage[] };

/** The fields of every reply to `claim-reservation`. */
export class ClaimedReservationFields {
  @IsBoolean() readonly claimed!: boolean;

  @ValidateIf(({ claimed }: ClaimedReservationFields) => claimed)
  @IsName()
  readonly sponsor?: string;

  @ValidateIf(({ claimed }: ClaimedReservationFields) => claimed)
  @IsPositiveInteger()
  readonly fence?: number;
  @IsOptional() @IsDto(FoundReservation) readonly found?: FoundReservation | null;

  @ValidateIf(({ claimed, found }: ClaimedReservationFields) => !claimed && !found)
  @IsArrayOfDtos(CurrentUsage)
  readonly usages?: readonly CurrentUsage[] | null;
}
