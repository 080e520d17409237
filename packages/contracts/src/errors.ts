/**
 * Every error that callers see: its HTTP status and its message (specification, "Errors"; contract, HTTP table).
 * `{detail}` comes from the code that throws it and never contains internals.
 */
export const errorTable = {
  INVALID_REQUEST: { status: 400, message: '{detail}' },
  INVALID_TRANSACTION_BYTES: { status: 400, message: 'Invalid transaction bytes: {detail}' },
  INVALID_SIGNATURE: { status: 400, message: 'Invalid transaction signature' },
  SIGNATURE_UNSUPPORTED: { status: 400, message: 'Invalid transaction signature: {detail}' },
  SENDER_IS_SPONSOR: {
    status: 400,
    message: 'The sender is the sponsor: a sponsored transaction is sent by its user',
  },
  GAS_OWNER_MISMATCH: {
    status: 400,
    message: "The transaction's gas owner is not the reservation's sponsor: {detail}",
  },
  GAS_PAYMENT_MISMATCH: {
    status: 400,
    message: "The transaction's gas payment does not match the reserved coins: {detail}",
  },
  GAS_BUDGET_ABOVE_RESERVED: {
    status: 400,
    message: "The transaction's gas budget exceeds the reserved budget: {detail}",
  },
  GAS_COIN_USED: {
    status: 400,
    message: 'Reserved coins may only pay for gas, but the gas coin is used by {detail}',
  },
  RESERVED_COIN_IS_INPUT: {
    status: 400,
    message: 'A reserved coin is an input object of the transaction: {detail}',
  },
  TRANSACTION_EXPIRED: { status: 400, message: 'The transaction has expired: {detail}' },
  TOO_MANY_OBJECTS: {
    status: 400,
    message: 'The transaction references too many objects and packages: {detail}',
  },
  GAS_PRICE_TOO_HIGH: { status: 400, message: "The transaction's gas price is too high: {detail}" },
  RESERVATION_UNKNOWN: { status: 400, message: 'Reservation {detail} not found' },
  RESERVATION_EXPIRED: { status: 400, message: 'Reservation {detail} has expired' },
  RESERVATION_USED: {
    status: 400,
    message: 'Reservation {detail} is already used by another transaction',
  },
  INPUT_IN_FLIGHT: {
    status: 400,
    message: 'An input object is locked by another transaction in flight: {detail}',
  },
  REFUSED_BY_LEDGER: { status: 400, message: '{detail}' },
  ACCESS_UNDECIDED: {
    status: 503,
    message: 'The access rules cannot be evaluated at the moment; try again shortly',
  },
  ACCESS_RULES_INVALID: { status: 400, message: '{detail}' },
  ACCESS_RULES_NOT_EVERYWHERE: {
    status: 503,
    message: 'Not every gateway has loaded the new access rules: {detail}',
  },
  INVALID_AUTHORIZATION_TOKEN: { status: 401, message: 'Invalid authorization token' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  FORBIDDEN: { status: 403, message: '{detail}' },
  NOT_FOUND: { status: 404, message: 'No such endpoint: {detail}' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large: {detail}' },
  RATE_LIMITED: { status: 429, message: 'Too many requests with this token; try again later' },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests from this address; try again later',
  },
  RESERVATION_LIMIT: {
    status: 429,
    message: 'Token has reached its reservation limit ({detail}); try again later',
  },
  QUARANTINE_LIMIT: {
    status: 429,
    message:
      'Too many recent transactions of this token are quarantined because of conflicting objects; try again later',
  },
  REFUSED_TOO_OFTEN: {
    status: 429,
    message:
      'Too many transactions of this token were rejected by the ledger, or are being checked for one reservation at once; try again later',
  },
  SPENDING_LIMIT: {
    status: 429,
    message: 'Spending limit reached: {detail}',
  },
  NO_COINS: {
    status: 503,
    message: 'No gas coins available for this budget; try again shortly',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    message:
      'The outcome of transaction {detail} is not known yet; the same call may be repeated safely',
  },
  LEDGER_UNREACHABLE: {
    status: 503,
    message: 'The ledger is unreachable; try again shortly',
  },
  STORE_UNREACHABLE: {
    status: 503,
    message: 'The coin pool is unreachable; try again shortly',
  },
  OVERLOADED: {
    status: 503,
    message: 'Too many requests in progress; try again shortly',
  },
  POOL_REFUSED: { status: 503, message: 'Coin pool unavailable: {detail}' },
  NOT_READY: { status: 503, message: 'Not ready: {detail}' },
  INTERNAL: { status: 500, message: 'Internal error {detail}' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Seconds that a client is asked to wait after a 503 or 429 that names no other time. */
export const DEFAULT_RETRY_AFTER_SECS = 1;

/** The error that domain code throws for callers to see. Each transport has one mapper for it. */
export class ForecourtError extends Error {
  override readonly name = 'ForecourtError';

  constructor(
    readonly code: ErrorCode,
    readonly detail = '',
    options: { cause?: unknown; retryAfterSecs?: number } = {},
  ) {
    super(
      errorTable[code].message.replace('{detail}', () => detail),
      { cause: options.cause },
    );
    this.retryAfterSecs = options.retryAfterSecs;
  }

  /** Overrides `DEFAULT_RETRY_AFTER_SECS`. */
  readonly retryAfterSecs: number | undefined;

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** How an error travels between the services. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterSecs?: number;
}
