/**
 * Every error that callers see: its message by its HTTP status (specification, "Errors"; contract, HTTP table).
 * `{detail}` comes from the code that throws it and never contains internals.
 */
const messages = {
  400: {
    INVALID_REQUEST: '{detail}',
    INVALID_TRANSACTION_BYTES: 'Invalid transaction bytes: {detail}',
    INVALID_SIGNATURE: 'Invalid transaction signature',
    SIGNATURE_UNSUPPORTED: 'Invalid transaction signature: {detail}',
    SENDER_IS_SPONSOR: 'The sender is the sponsor: a sponsored transaction is sent by its user',
    GAS_OWNER_MISMATCH: "The transaction's gas owner is not the reservation's sponsor: {detail}",
    GAS_PAYMENT_MISMATCH:
      "The transaction's gas payment does not match the reserved coins: {detail}",
    GAS_BUDGET_ABOVE_RESERVED: "The transaction's gas budget exceeds the reserved budget: {detail}",
    GAS_COIN_USED: 'Reserved coins may only pay for gas, but the gas coin is used by {detail}',
    RESERVED_COIN_IS_INPUT: 'A reserved coin is an input object of the transaction: {detail}',
    TRANSACTION_EXPIRED: 'The transaction has expired: {detail}',
    TOO_MANY_OBJECTS: 'The transaction references too many objects and packages: {detail}',
    GAS_PRICE_TOO_HIGH: "The transaction's gas price is too high: {detail}",
    RESERVATION_UNKNOWN: 'Reservation {detail} not found',
    RESERVATION_EXPIRED: 'Reservation {detail} has expired',
    RESERVATION_RELEASED: 'Reservation {detail} was released',
    RESERVATION_USED: 'Reservation {detail} is already used by another transaction',
    INPUT_IN_FLIGHT: 'An input object is locked by another transaction in flight: {detail}',
    REFUSED_BY_LEDGER: '{detail}',
    TRANSACTION_WOULD_FAIL: 'The transaction would fail: {detail}',
    ACCESS_RULES_INVALID: '{detail}',
    SPONSOR_NOT_IDLE: 'Funds cannot be withdrawn now: {detail}',
    LOSS_NOT_EXAMINED: 'An earlier withdrawal may have been sent: {detail}',
  },
  401: {
    INVALID_AUTHORIZATION_TOKEN: 'Invalid authorization token',
    UNAUTHORIZED: 'Unauthorized',
  },
  403: { FORBIDDEN: '{detail}' },
  404: {
    NOT_FOUND: 'No such route: {detail}',
    TRANSACTION_UNKNOWN: 'No record of {detail}',
    WEBHOOK_UNKNOWN: 'No such webhook or delivery: {detail}',
  },
  413: { PAYLOAD_TOO_LARGE: 'The request body is too large: {detail}' },
  415: { BODY_ENCODED: 'The body must be sent without Content-Encoding; got {detail}' },
  429: {
    RATE_LIMITED: 'Too many requests with this token; try again later',
    TOO_MANY_REQUESTS: 'Too many requests from this address; try again later',
    RESERVATION_LIMIT: 'Token has reached its reservation limit ({detail}); try again later',
    QUARANTINE_LIMIT:
      'Too many recent transactions of this token are quarantined because of conflicting objects; try again later',
    REFUSED_TOO_OFTEN: 'Too many {detail}; try again later',
    SPENDING_LIMIT: 'Spending limit reached: {detail}',
    REQUEST_LIMIT: 'Limit of requests reached: {detail}',
    DRY_RUN_LIMIT: 'Too many dry runs with this token; try again later',
  },
  500: { INTERNAL: 'Internal error {detail}' },
  501: {
    HISTORY_OFF: 'This gas station keeps no history',
    EVENTS_INDEX_OFF: 'The events service keeps no index of events',
  },
  503: {
    ACCESS_UNDECIDED: 'The access rules cannot be evaluated at the moment; try again shortly',
    ACCESS_RULES_NOT_EVERYWHERE: 'Not every gateway has loaded the new access rules: {detail}',
    NO_COINS: 'No gas coins available for this budget; try again shortly',
    INPUT_UNDECIDED:
      'The ledger node does not show everything that the transaction uses yet; repeat the same call: {detail}',
    OUTCOME_UNKNOWN:
      'The outcome of transaction {detail} is not known yet; the same call may be repeated safely',
    LEDGER_UNREACHABLE: 'The ledger is unreachable; try again shortly',
    LEDGER_ANSWER_INVALID:
      'A ledger node answered, and its answer cannot be used; the operator finds the reason in the log',
    SIGNER_UNREACHABLE:
      'The service that holds the sponsor’s key does not sign at the moment; the same call may be repeated safely',
    STORE_UNREACHABLE: 'The coin-pool, or its Redis, is unreachable; try again shortly',
    HISTORY_UNREACHABLE: 'The history, or its database, is unreachable; try again shortly',
    EVENTS_UNREACHABLE:
      'The events service, or the database of its index, is unreachable; try again shortly',
    COIN_POOL_OUTDATED: 'The coin-pool is being upgraded; try again shortly',
    OVERLOADED: 'Too many requests in progress; try again shortly',
    POOL_REFUSED: 'The coin-pool is unavailable: {detail}',
    NOT_READY: 'Not ready: {detail}',
    PAUSED: 'Sponsoring is paused: {detail}',
    SPONSOR_DRAINED: 'The sponsor is drained: {detail}',
    SHUTTING_DOWN: 'This replica is shutting down; the same call may be repeated safely',
  },
} as const;

type KeyOfAny<T> = T extends unknown ? keyof T : never;
export type ErrorCode = KeyOfAny<(typeof messages)[keyof typeof messages]>;

/** Status and message of every error. */
export const errorTable = Object.fromEntries(
  Object.entries(messages).flatMap(([status, ofStatus]) =>
    Object.entries(ofStatus).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
) as Readonly<Record<ErrorCode, { readonly status: number; readonly message: string }>>;

/** Default `Retry-After` of a 503 or 429, in seconds. */
export const DEFAULT_RETRY_AFTER_SECS = 1;

/** The error that domain code throws for callers to see. Each transport has one mapper for it. */
export class ForecourtError extends Error {
  override readonly name = 'ForecourtError';

  constructor(
    readonly code: ErrorCode,
    readonly detail = '',
    options: { cause?: unknown; retryAfterSecs?: number | null } = {},
  ) {
    super(
      errorTable[code].message.replace('{detail}', () => detail),
      { cause: options.cause },
    );
    this.retryAfterSecs = options.retryAfterSecs;
  }

  /** Overrides `DEFAULT_RETRY_AFTER_SECS`; null: a repetition will not succeed, and there is no such header. */
  readonly retryAfterSecs: number | null | undefined;

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The format of an error between services. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterSecs?: number | null;
}
