const REPEAT = 'Repeat the same call: it is safe, and nothing is charged twice.';
const REBUILD = 'Build the transaction again with exactly the answer of the reservation.';
const RESERVE_AGAIN = 'Reserve gas again, and execute before the deadline.';
const SLOW_DOWN = 'Call less often; Retry-After says when the next call is accepted.';
const CHECK_TOKEN = 'Check the token, and whether it has expired.';
const NEXT_WINDOW = 'Wait for the next window, or have the limit raised.';

/**
 * Every error that callers see by its HTTP status (specification, "Errors"; contract, HTTP table): its
 * message, the remedy, and the cause where the message does not begin with it. `{detail}` comes from the code
 * that throws it and never contains internals.
 */
// prettier-ignore
const errors = {
  400: {
    INVALID_REQUEST: ['{detail}', 'Correct the field that the message names.',
      'A field of the request is wrong'],
    INVALID_TRANSACTION_BYTES: ['Invalid transaction bytes: {detail}',
      'Send the BCS bytes of the transaction in base64.'],
    INVALID_SIGNATURE: ['Invalid transaction signature',
      'Sign exactly these bytes with the sender’s key; the header expected-signer names the address.'],
    SIGNATURE_UNSUPPORTED: ['Invalid transaction signature: {detail}',
      'Use Ed25519, Secp256k1, Secp256r1, a passkey or a multisig of the first three.',
      'This kind of signature is not accepted'],
    SENDER_IS_SPONSOR: ['The sender is the sponsor: a sponsored transaction is sent by its user',
      'Set the user’s address as the sender.'],
    GAS_OWNER_MISMATCH: ["The transaction's gas owner is not the reservation's sponsor: {detail}", REBUILD],
    GAS_PAYMENT_MISMATCH: ["The transaction's gas payment does not match the reserved coins: {detail}",
      REBUILD],
    GAS_BUDGET_ABOVE_RESERVED: ["The transaction's gas budget exceeds the reserved budget: {detail}",
      'Reserve a larger budget, or lower the transaction’s.',
      'The gas budget is larger than what is reserved'],
    GAS_COIN_USED: ['Reserved coins may only pay for gas, but the gas coin is used by {detail}',
      'Take the amount from a coin of the user.',
      'The transaction uses the gas coin for something else than gas'],
    RESERVED_COIN_IS_INPUT: ['A reserved coin is an input object of the transaction: {detail}',
      'Leave the sponsor’s coins to the gas payment.'],
    TRANSACTION_EXPIRED: ['The transaction has expired: {detail}', 'Build and sign it again.'],
    TOO_MANY_OBJECTS: ['The transaction references too many objects and packages: {detail}',
      'Split it into smaller transactions.'],
    GAS_PRICE_TOO_HIGH: ["The transaction's gas price is too high: {detail}",
      'Use the reference gas price of the epoch.'],
    RESERVATION_UNKNOWN: ['Reservation {detail} not found', RESERVE_AGAIN,
      'There is no such reservation of this token'],
    RESERVATION_EXPIRED: ['Reservation {detail} has expired', RESERVE_AGAIN,
      'The reservation was not used before its deadline'],
    RESERVATION_RELEASED: ['Reservation {detail} was released', RESERVE_AGAIN,
      'The application gave the reservation back'],
    RESERVATION_USED: ['Reservation {detail} is already used by another transaction',
      'Reserve gas for each transaction.', 'Another transaction has used the reservation'],
    INPUT_IN_FLIGHT: ['An input object is locked by another transaction in flight: {detail}',
      'Wait for its outcome, then build the transaction again.'],
    REFUSED_BY_LEDGER: ['{detail}',
      'The message is the ledger’s: correct what it names, then build the transaction again.',
      'The ledger refuses the transaction'],
    TRANSACTION_WOULD_FAIL: ['The transaction would fail: {detail}',
      'Correct its arguments, or the state that it depends on.'],
    ACCESS_RULES_INVALID: ['{detail}',
      'Correct the line that the message names; the old rules stay in force.',
      'The file of access rules or tokens has a mistake'],
    SPONSOR_NOT_IDLE: ['Funds cannot be withdrawn now: {detail}',
      'Drain the sponsor and wait until its state is drained.'],
    LOSS_NOT_EXAMINED: ['An earlier withdrawal may have been sent: {detail}',
      'Look up on the ledger what the address has received. If it is missing, order it with the id of ' +
      'the message.'],
  },
  401: {
    INVALID_AUTHORIZATION_TOKEN: ['Invalid authorization token', CHECK_TOKEN],
    UNAUTHORIZED: ['Unauthorized', CHECK_TOKEN, 'The token is missing or wrong'],
  },
  403: {
    FORBIDDEN: ['{detail}',
      'The page Access explains which rule decides. Ask the operator of this gas station.',
      'The access rules or the token’s role do not allow it'],
  },
  404: {
    NOT_FOUND: ['No such route: {detail}', 'Check the path and the gateway’s version.'],
    TRANSACTION_UNKNOWN: ['No record of {detail}',
      'Check the digest or id. Records are kept for a limited time.',
      'There is no record of it for this token'],
    WEBHOOK_UNKNOWN: ['No such webhook or delivery: {detail}',
      'Check the id: the configuration may have changed.'],
  },
  413: {
    PAYLOAD_TOO_LARGE: ['The request body is too large: {detail}', 'Send a smaller transaction.'],
  },
  415: {
    BODY_ENCODED: ['The body must be sent without Content-Encoding; got {detail}', 'Send it uncompressed.'],
  },
  429: {
    RATE_LIMITED: ['Too many requests with this token; try again later', SLOW_DOWN],
    TOO_MANY_REQUESTS: ['Too many requests from this address; try again later', SLOW_DOWN],
    RESERVATION_LIMIT: ['Token has reached its reservation limit ({detail}); try again later',
      'Execute or release open reservations first.'],
    QUARANTINE_LIMIT: [
      'Too many recent transactions of this token are quarantined because of conflicting objects; try ' +
      'again later',
      'Wait. Let users finish one transaction before they sign the next one over the same objects.'],
    REFUSED_TOO_OFTEN: ['Too many {detail}; try again later',
      'Find out why they are refused; the list of refusals shows the reasons.',
      'Too many of the token’s transactions were refused within a minute'],
    SPENDING_LIMIT: ['Spending limit reached: {detail}', NEXT_WINDOW],
    REQUEST_LIMIT: ['Limit of requests reached: {detail}', NEXT_WINDOW],
    DRY_RUN_LIMIT: ['Too many dry runs with this token; try again later', SLOW_DOWN],
  },
  500: {
    INTERNAL: ['Internal error {detail}', 'The id of the request finds the line in the gateway’s log.',
      'Something unexpected failed'],
  },
  501: {
    HISTORY_OFF: ['This gas station keeps no history',
      'The operator sets HISTORY_ADDRESS and runs the history service.'],
    EVENTS_INDEX_OFF: ['The events service keeps no index of events',
      'The operator sets EVENTS_DATABASE_URL of the events services.'],
  },
  503: {
    ACCESS_UNDECIDED: ['The access rules cannot be evaluated at the moment; try again shortly',
      'Repeat the call; the operator checks the hook or policy server.'],
    ACCESS_RULES_NOT_EVERYWHERE: ['Not every gateway has loaded the new access rules: {detail}',
      'The message names the gateways. Look at their files and logs.'],
    NO_COINS: ['No gas coins available for this budget; try again shortly',
      'Try again shortly. If it stays so, send coins to the sponsor.'],
    INPUT_UNDECIDED: [
      'The ledger node does not show everything that the transaction uses yet; repeat the same call: ' +
      '{detail}', REPEAT],
    OUTCOME_UNKNOWN: [
      'The outcome of transaction {detail} is not known yet; the same call may be repeated safely', REPEAT,
      'The transaction is submitted, and its outcome is not known yet'],
    LEDGER_UNREACHABLE: ['The ledger is unreachable; try again shortly',
      'Check the node’s provider; the services go on by themselves when it answers.'],
    LEDGER_ANSWER_INVALID: [
      'A ledger node answered, and its answer cannot be used; the operator finds the reason in the log',
      'The gateway’s log names the node and the reason. Compare the versions of node and release, or use ' +
      'another node.'],
    SIGNER_UNREACHABLE: [
      'The service that holds the sponsor’s key does not sign at the moment; the same call may be ' +
      'repeated safely',
      'Repeat the same call shortly. An operator examines the service with forecourt doctor.'],
    STORE_UNREACHABLE: ['The coin-pool, or its Redis, is unreachable; try again shortly',
      'Bring back the same Redis with its data; the services reconnect.'],
    HISTORY_UNREACHABLE: ['The history, or its database, is unreachable; try again shortly',
      'Sponsoring goes on. Start PostgreSQL and history again; no record is lost.'],
    EVENTS_UNREACHABLE: [
      'The events service, or the database of its index, is unreachable; try again shortly',
      'Live events go on. Start PostgreSQL and the events service again; no event is lost.'],
    COIN_POOL_OUTDATED: ['The coin-pool is being upgraded; try again shortly', 'Try again shortly.'],
    OVERLOADED: ['Too many requests in progress; try again shortly', SLOW_DOWN],
    POOL_REFUSED: ['The coin-pool is unavailable: {detail}',
      'The message names the reason. Try again shortly.'],
    NOT_READY: ['Not ready: {detail}', 'Wait until it is, or look at its log.',
      'A part of the gas station is not ready'],
    PAUSED: ['Sponsoring is paused: {detail}',
      'The message has the reason; the page Pool shows who paused it.'],
    SPONSOR_DRAINED: ['The sponsor is drained: {detail}', 'End the drain, or add a sponsor.'],
    SHUTTING_DOWN: ['This replica is shutting down; the same call may be repeated safely', REPEAT],
  },
} as const;

type KeyOfAny<T> = T extends unknown ? keyof T : never;
export type ErrorCode = KeyOfAny<(typeof errors)[keyof typeof errors]>;

interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly cause: string;
  readonly remedy: string;
}

type Row = readonly [message: string, remedy: string, cause?: string];

/** Every error: its status and message, and in plain words its cause and the remedy. */
export const errorTable = Object.fromEntries(
  Object.entries(errors).flatMap(([status, ofStatus]) =>
    Object.entries<Row>(ofStatus).map(([code, [message, remedy, cause]]) => [
      code,
      {
        status: Number(status),
        message,
        remedy,
        cause: `${cause ?? message.split(/:? \(?\{detail\}|; /)[0]}.`,
      },
    ]),
  ),
) as Readonly<Record<ErrorCode, ErrorRow>>;

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

  /**
   * Overrides `DEFAULT_RETRY_AFTER_SECS`; null: a repetition will not succeed, and there is no such header.
   */
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
