import type { ExecuteRequest } from './execute-request.js';

/** Codes with which a gas station refuses a call, sent in the header `error-code`. */
export type RefusalCode =
  | 'INVALID_REQUEST'
  | 'INVALID_TRANSACTION_BYTES'
  | 'INVALID_SIGNATURE'
  | 'SIGNATURE_UNSUPPORTED'
  | 'SENDER_IS_SPONSOR'
  | 'GAS_OWNER_MISMATCH'
  | 'GAS_PAYMENT_MISMATCH'
  | 'GAS_BUDGET_ABOVE_RESERVED'
  | 'GAS_COIN_USED'
  | 'RESERVED_COIN_IS_INPUT'
  | 'TRANSACTION_EXPIRED'
  | 'TOO_MANY_OBJECTS'
  | 'GAS_PRICE_TOO_HIGH'
  | 'RESERVATION_UNKNOWN'
  | 'RESERVATION_EXPIRED'
  | 'RESERVATION_RELEASED'
  | 'RESERVATION_USED'
  | 'INPUT_IN_FLIGHT'
  | 'REFUSED_BY_LEDGER'
  | 'TRANSACTION_WOULD_FAIL'
  | 'INVALID_AUTHORIZATION_TOKEN'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'BODY_ENCODED'
  | 'RATE_LIMITED'
  | 'TOO_MANY_REQUESTS'
  | 'RESERVATION_LIMIT'
  | 'QUARANTINE_LIMIT'
  | 'REFUSED_TOO_OFTEN'
  | 'SPENDING_LIMIT'
  | 'REQUEST_LIMIT'
  | 'DRY_RUN_LIMIT'
  | 'INTERNAL'
  | 'ACCESS_UNDECIDED'
  | 'NO_COINS'
  | 'INPUT_UNDECIDED'
  | 'OUTCOME_UNKNOWN'
  | 'LEDGER_UNREACHABLE'
  | 'LEDGER_ANSWER_INVALID'
  | 'SIGNER_UNREACHABLE'
  | 'STORE_UNREACHABLE'
  | 'COIN_POOL_OUTDATED'
  | 'OVERLOADED'
  | 'POOL_REFUSED'
  | 'NOT_READY'
  | 'PAUSED'
  | 'SPONSOR_DRAINED'
  | 'TRANSACTION_UNKNOWN'
  | 'HISTORY_OFF'
  | 'HISTORY_UNREACHABLE'
  | 'SHUTTING_DOWN';

/** Codes of failures that this package detects itself. */
export type ClientCode =
  /** The connection was refused or lost, also after repeating the call. */
  | 'UNREACHABLE'
  /** The time limit of the call has passed. */
  | 'TIMEOUT'
  /** An answer without a readable code, such as one of a proxy: see `status`. */
  | 'UNEXPECTED_ANSWER'
  /** The transaction that the gas station built is not the requested one. */
  | 'BUILT_OTHER_TRANSACTION'
  /** The wallet signed other bytes than the given ones. */
  | 'SIGNED_OTHER_TRANSACTION';

/** A code stays the same from version to version; newer gas stations may send further ones. */
export type GasStationErrorCode = RefusalCode | ClientCode | (string & {});

export interface GasStationErrorDetails extends ErrorOptions {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Whether the call had been sent before this answer, and may have had its effect then. */
  readonly isRepeated?: boolean | undefined;
}

/** Every failure of a call, except that `TypeError` is thrown for arguments that cannot be sent. */
export class GasStationError extends Error {
  override readonly name = 'GasStationError';
  /** HTTP status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** The delay that the gas station asks for before the next call, in ms. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether this is a final refusal of the first attempt: the call had no effect, and repeating it unchanged
   * will not help. If the call had been sent before, a refusal says nothing about that: a limit on requests,
   * for instance, refuses it before the gas station checks whether it knows the transaction.
   */
  readonly isRefusal: boolean;
  /**
   * Set when the outcome of a signed transaction is unknown: it may still be executed. Passing this to
   * `execute`, at any later time, returns the outcome, and never executes the transaction twice.
   */
  pending?: ExecuteRequest;

  constructor(
    readonly code: GasStationErrorCode,
    message: string,
    details: GasStationErrorDetails = {},
  ) {
    super(message, details);
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.isRefusal = !details.isRepeated && /^4/.test(`${details.status}`);
  }
}
