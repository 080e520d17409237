import { IsArray, IsBoolean, IsNumber, IsOptional, ValidateIf } from 'class-validator';
import {
  describeArrived,
  IsArrayOfDtos,
  IsBase64Text,
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
  IsText,
  MAX_MESSAGE_LENGTH,
  TRACEPARENT,
} from '../dto-validation.js';
import { ForecourtError } from '../errors.js';
import {
  MAX_TX_BYTES_LENGTH,
  MAX_USER_SIG_LENGTH,
  type RequestType,
  requestTypes,
} from '../request-limits.js';
import { CurrentUsage, ExpectedUsage } from './usage-messages.js';

/**
 * The gateway's messages to the coin-pool over Nest's TCP transport. The patterns are objects because Nest throws and
 * catches a syntax error for every message with a plain text pattern. Errors come back as `ErrorMessage`. In addition
 * to the errors of its DTO, every message throws INVALID_REQUEST if its fields do not match its DTO, COIN_POOL_OUTDATED
 * if its version is newer, POOL_REFUSED while the replica shuts down, and STORE_UNREACHABLE if Redis does not answer.
 */
export const coinPoolPatterns = {
  reserveGas: { cmd: 'reserve-gas' },
  findReservation: { cmd: 'find-reservation' },
  claimReservation: { cmd: 'claim-reservation' },
  /**
   * The fields of `find-reservation`; enqueues the job of the caller's claim for this transaction, unless it is in the queue
   * or has begun. Empty reply. Throws OUTCOME_UNKNOWN when the queue does not answer.
   */
  enqueueClaim: { cmd: 'enqueue-claim' },
  releaseReservation: { cmd: 'release-reservation' },
  readUsages: { cmd: 'read-usages' },
  inspectPools: { cmd: 'inspect-pools' },
  explainTransaction: { cmd: 'explain-transaction' },
  /**
   * Reserves, signs an unsubmittable message, asks the ledger and releases the coin. Empty both ways.
   * Throws NO_COINS, POOL_REFUSED, SPONSOR_DRAINED, LEDGER_UNREACHABLE.
   */
  checkPool: { cmd: 'check-pool' },
  drainSponsor: { cmd: 'drain-sponsor' },
  undrainSponsor: { cmd: 'undrain-sponsor' },
  withdrawFunds: { cmd: 'withdraw-funds' },
  /** The fields and errors of `withdrawFunds`; orders nothing. Empty reply. */
  checkWithdrawal: { cmd: 'check-withdrawal' },
  withdrawAmount: { cmd: 'withdraw-amount' },
  /** The fields and errors of `withdrawAmount`; orders nothing. Empty reply. */
  checkWithdrawalOfAmount: { cmd: 'check-withdrawal-of-amount' },
  reconcilePool: { cmd: 'reconcile-pool' },
  listSponsors: { cmd: 'list-sponsors' },
  findSponsorship: { cmd: 'find-sponsorship' },
  listSponsorships: { cmd: 'list-sponsorships' },
  readChanges: { cmd: 'read-changes' },
} as const;

export type CoinPoolPattern = (typeof coinPoolPatterns)[keyof typeof coinPoolPatterns];

/** The fields of every message in addition to those of its DTO. */
export interface MessageHeader {
  /** See `MESSAGE_VERSION`. */
  readonly version?: number;
  /** The id of the request that it is sent for, if there is one, for the log. */
  readonly requestId?: string;
  /** W3C `traceparent` of the request's trace; absent without tracing. */
  readonly traceparent?: string;
}

/**
 * The version of the messages between gateway and coin-pool: the one that gateways send, and the newest that coin-pools
 * understand. It is raised if an older coin-pool would misinterpret the message; a new message, or an optional field
 * that an older coin-pool may ignore, does not raise it. Since version 2 the coin-pool enqueues the job of a claim.
 */
export const MESSAGE_VERSION = 2;

/**
 * Accepts a message whose version this code understands; one without a version has version 1. Throws COIN_POOL_OUTDATED
 * naming both versions if it is newer, INVALID_REQUEST if it is not a version.
 */
export function requireKnownMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('version' in message)) return;
  const { version } = message;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    const problem = `version must be an integer from 1; got ${describeArrived(version)}`;
    throw new ForecourtError('INVALID_REQUEST', `Invalid message: ${problem}`);
  }
  if (version > MESSAGE_VERSION) {
    const detail = `it understands messages up to version ${MESSAGE_VERSION}, and this one is of version ${version}`;
    throw new ForecourtError('COIN_POOL_OUTDATED', detail);
  }
}

/** Names of tokens cannot contain it. */
const SEPARATOR = ':';

/** The name of a caller that is one user of a token. */
export function nameOfUser(token: string, address: string): string {
  return `${token}${SEPARATOR}${address}`;
}

/** The name of a caller's token: the caller's own name, unless it is one user of the token. */
export function tokenOfCaller(name: string): string {
  return name.split(SEPARATOR, 1)[0]!;
}

/** The address of a caller that is one user of a token; null for any other caller. */
export function userOfCaller(name: string): string | null {
  return name.split(SEPARATOR, 2)[1] ?? null;
}

/** A gas coin as the wires name it (specification, "Gas coin reference"). */
export class GasCoinReference {
  /** `0x` and 64 hex digits. */
  @IsName() readonly objectId!: string;
  @IsNatural() readonly version!: number;

  /** Base58. */
  @IsName() readonly digest!: string;
}

const MAX_DURATION_SECS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

/** Limits on the reservations of one caller; null: no limit. Budgets in the smallest unit. */
export class ReservationLimits {
  /** At once. */
  @IsOptional() @IsPositiveInteger() readonly coins!: number | null;
  @IsOptional() @IsPositiveInteger() readonly budget!: number | null;
  @IsOptional() @IsPositiveInteger() readonly coinsPerMinute!: number | null;
  @IsOptional() @IsPositiveInteger() readonly budgetPerMinute!: number | null;

  /** At once, in percent of the coins that are free or the caller's own. */
  @IsOptional() @IsPositiveInteger() readonly poolShare!: number | null;

  /** Reservations that end unused, beyond those that are executed; absent from gateways of earlier versions. */
  @IsOptional() @IsPositiveInteger() readonly unusedPerMinute?: number | null;
}

/** `reserve-gas`. Throws INVALID_REQUEST, NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, SPONSOR_DRAINED. */
export class ReserveGasMessage {
  @IsName() readonly caller!: string;

  /** Absent: the caller has none. */
  @IsOptional() @IsDto(ReservationLimits) readonly limits?: ReservationLimits;

  /** Of all users of the caller's token together; absent for a caller that is not one of them. */
  @IsOptional() @IsDto(ReservationLimits) readonly usersLimits?: ReservationLimits;

  /** Which sponsor pays; absent: the pool's first. */
  @IsOptional() @IsName() readonly sponsor?: string;
  @IsPositiveInteger() readonly gasBudget!: number;
  @IsIntegerBetween(1, MAX_DURATION_SECS) readonly durationSecs!: number;
}

/** The reply to `reserve-gas`. */
export class ReservedGas {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(GasCoinReference) readonly coins!: readonly GasCoinReference[];

  /** Milliseconds since 1970 by Redis's clock. */
  @IsPositiveInteger() readonly deadlineMs!: number;

  /** If the whole budget is used, the rest of the coins may be dust; absent from coin-pools of earlier versions. */
  @IsOptional() @IsBoolean() readonly mayLeaveDust?: boolean;
}

/** `release-reservation`. Releases an unused reservation. Throws RESERVATION_UNKNOWN. */
export class ReleaseReservationMessage {
  @IsName() readonly caller!: string;
  @IsPositiveInteger() readonly reservationId!: number;
}

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
 * `everHeld` gives the reason if nothing is found: `true`, the reservation belongs to another caller; `false`, no
 * record exists (the reservation never existed, or its retention has ended), so that only the ledger can know the
 * transaction.
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

/** The ledger's message for a caller whose transaction can never be executed; `message` is empty where no node gave one. */
export function describeRefusal({ message }: { readonly message: string }): string {
  if (message !== '') return message;
  return 'The transaction was not executed before the epoch of its submission ended, and can no longer be executed';
}

/** Maximum number of transactions of one caller that may enter quarantine in a sliding window. */
export class QuarantineLimit {
  @IsNatural() readonly most!: number;
  @IsNatural() readonly windowMs!: number;
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

  /** `writeDecisionFacts`, for history; absent from gateways of earlier versions. */
  @IsOptional() @IsText({ maxLength: 200 }) readonly facts?: string;

  /** `objectId:version` of inputs that no other transaction in flight may use. */
  @IsArray() @IsName({ each: true }) readonly inputs!: readonly string[];

  /** Counters that must have the expected values, and that then count the transaction. */
  @IsArrayOfDtos(ExpectedUsage) readonly usage!: readonly ExpectedUsage[];

  /** Absent: the caller has none. */
  @IsOptional() @IsDto(QuarantineLimit) readonly quarantineLimit?: QuarantineLimit;
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

  /**
   * Of a transaction that is refused if one of these budgets has no room for it; such a budget is announced as used up. Absent:
   * nothing is announced.
   */
  @IsOptional() @IsArrayOfDtos(ExpectedUsage) readonly usage?: readonly ExpectedUsage[];
}

/** The reply to `read-usages`: in the order of the counters. */
export class ReadUsagesReply {
  /** The sponsor of the counters. */
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(CurrentUsage) readonly usages!: readonly CurrentUsage[];
}
