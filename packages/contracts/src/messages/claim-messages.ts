import { IsArray, IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import { MAX_TX_BYTES_LENGTH, MAX_USER_SIG_LENGTH } from '../request-limits.js';
import {
  DECIMAL,
  IsArrayOfDtos,
  IsBase64Text,
  IsDto,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
  IsText,
} from '../validation/rules.js';
import { FindReservationMessage, FoundReservation } from './find-messages.js';

const usageKinds = ['gas', 'requests'] as const;
const usageOperators = ['=', '!=', '<', '>', '<=', '>='] as const;

/** Maximum number of transactions of one caller that may enter quarantine in a sliding window. */
export class QuarantineLimit {
  @IsNatural() readonly most!: number;
  @IsNatural() readonly windowMs!: number;
}

/** The expected state of one counter. Amounts are decimal texts. */
export class ExpectedUsage {
  @IsName() readonly counter!: string;

  /** Gas is corrected to the charged amount when the transaction settles. */
  @IsOneOf(usageKinds) readonly counts!: (typeof usageKinds)[number];

  /** The amount that the transaction adds. */
  @IsText(DECIMAL) readonly amount!: string;
  @IsOneOf(usageOperators) readonly operator!: (typeof usageOperators)[number];
  @IsText(DECIMAL) readonly limit!: string;

  /** A window begins with the first use. */
  @IsNatural() readonly windowMs!: number;

  /** The expected result of comparing the used amount, including this transaction, with the limit. */
  @IsBoolean() readonly expected!: boolean;

  /** Whether the transaction must be counted. */
  @IsBoolean() readonly held!: boolean;
}

/**
 * `claim-reservation`. Binds the reservation to a transaction that has passed all checks of the gateway, and enqueues
 * its job. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT,
 * POOL_REFUSED, and OUTCOME_UNKNOWN when the claim exists but the queue does not answer.
 */
export class ClaimReservationMessage extends FindReservationMessage {
  @IsBase64Text(MAX_TX_BYTES_LENGTH) readonly txBytes!: string;
  @IsBase64Text(MAX_USER_SIG_LENGTH) readonly userSig!: string;

  /** Name of the access rule that allowed it; empty where none did. */
  @IsText({ minLength: 0 }) readonly rule!: string;

  /** `objectId:version` of inputs that no other transaction in flight may use. */
  @IsArray() @IsName({ each: true }) readonly inputs!: readonly string[];

  /** Counters that must have the expected values, and that then count the transaction. */
  @IsArrayOfDtos(ExpectedUsage) readonly usage!: readonly ExpectedUsage[];

  /** Absent: the caller has none. */
  @IsOptional() @IsDto(QuarantineLimit) readonly quarantineLimit?: QuarantineLimit;
}

/** The current value of a counter. */
export class CurrentUsage {
  @IsName() readonly counter!: string;
  @IsText(DECIMAL) readonly used!: string;

  /** The rest of the window's duration; 0 if none has begun. */
  @IsNatural() readonly endsInMs!: number;
}

/**
 * `claimed: false` with `found`: the same transaction has claimed it before; the waiter is attached, and `found` is the
 * reservation as it is now. With `usages`: a counter did not have the expected value, and nothing was changed; `usages` has
 * the current values of all counters.
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

/** `read-usages`. The current values of counters, which stay as they are. Throws INVALID_REQUEST, POOL_REFUSED, SPONSOR_DRAINED. */
export class ReadUsagesMessage {
  /** Absent: the pool's first. */
  @IsOptional() @IsName() readonly sponsor?: string;
  @IsArray() @IsName({ each: true }) readonly counters!: readonly string[];
}

/** The reply to `read-usages`: in the order of the counters. */
export class ReadUsagesReply {
  /** The sponsor of the counters. */
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(CurrentUsage) readonly usages!: readonly CurrentUsage[];
}
