import type { NO_ANSWER } from './gateway-error.js';
import type { ErrorCode } from '../generated/gateway-types.js';

/** An error in plain words, and the remedy. */
export interface ErrorExplanation {
  readonly cause: string;
  readonly remedy: string;
}

const REPEAT = 'Repeat the same call: it is safe, and nothing is charged twice.';
const REBUILD = 'Build the transaction again with exactly the answer of the reservation.';
const RESERVE_AGAIN = 'Reserve gas again, and execute before the deadline.';
const SLOW_DOWN = 'Call less often; Retry-After says when the next call is accepted.';
const ASK_OPERATOR = 'Ask the operator of this gas station.';

/** The description of the API names the codes of its routes; these two belong to none. */
type Known = ErrorCode | 'NOT_FOUND' | 'TOO_MANY_REQUESTS' | typeof NO_ANSWER;

/** Without a token there is no record of a refusal, nor of a route that sponsors nothing. */
const NEVER_RECORDED: ReadonlySet<Known> = new Set<Known>([
  'NO_ANSWER',
  'NOT_FOUND',
  'UNAUTHORIZED',
  'INVALID_AUTHORIZATION_TOKEN',
  'OUTCOME_UNKNOWN',
  'TRANSACTION_UNKNOWN',
  'WEBHOOK_UNKNOWN',
  'HISTORY_OFF',
  'HISTORY_UNREACHABLE',
  'EVENTS_INDEX_OFF',
  'EVENTS_UNREACHABLE',
  'ACCESS_RULES_NOT_EVERYWHERE',
  'SPONSOR_NOT_IDLE',
  'LOSS_NOT_EXAMINED',
]);

/** The codes that every gateway of this version answers with; the type check finds a code without an entry. */
const explanations: Readonly<Record<Known, readonly [cause: string, remedy: string]>> = {
  INVALID_REQUEST: [
    'A field of the request is wrong.',
    'Correct the field that the message names.',
  ],
  INVALID_TRANSACTION_BYTES: [
    'The bytes are no transaction.',
    'Send the BCS bytes of the transaction in base64.',
  ],
  INVALID_SIGNATURE: [
    'The signature is not the sender’s.',
    'Sign exactly these bytes with the sender’s key; the header expected-signer names the address.',
  ],
  SIGNATURE_UNSUPPORTED: [
    'This kind of signature is not accepted.',
    'Use Ed25519, Secp256k1, Secp256r1, a passkey or a multisig of the first three.',
  ],
  SENDER_IS_SPONSOR: ['The sender is the sponsor.', 'Set the user’s address as the sender.'],
  GAS_OWNER_MISMATCH: ['The gas owner is not the sponsor of the reservation.', REBUILD],
  GAS_PAYMENT_MISMATCH: [
    'The transaction pays with other coins than those that are reserved.',
    REBUILD,
  ],
  GAS_BUDGET_ABOVE_RESERVED: [
    'The gas budget is larger than what is reserved.',
    'Reserve a larger budget, or lower the transaction’s.',
  ],
  GAS_COIN_USED: [
    'The transaction uses the gas coin for something else than gas.',
    'Take the amount from a coin of the user.',
  ],
  RESERVED_COIN_IS_INPUT: [
    'A reserved coin is an input of the transaction.',
    'Leave the sponsor’s coins to the gas payment.',
  ],
  TRANSACTION_EXPIRED: ['The transaction names an epoch that is over.', 'Build and sign it again.'],
  TOO_MANY_OBJECTS: [
    'The transaction names too many objects and packages.',
    'Split it into smaller transactions.',
  ],
  GAS_PRICE_TOO_HIGH: [
    'The gas price is far above the reference price.',
    'Use the reference gas price of the epoch.',
  ],
  RESERVATION_UNKNOWN: ['There is no such reservation of this token.', RESERVE_AGAIN],
  RESERVATION_EXPIRED: ['The reservation was not used before its deadline.', RESERVE_AGAIN],
  RESERVATION_RELEASED: ['The application gave the reservation back.', RESERVE_AGAIN],
  RESERVATION_USED: [
    'Another transaction has used the reservation.',
    'Reserve gas for each transaction.',
  ],
  INPUT_IN_FLIGHT: [
    'Another transaction with the same object is on its way.',
    'Wait for its outcome, then build the transaction again.',
  ],
  REFUSED_BY_LEDGER: [
    'The ledger refuses the transaction.',
    'The message is the ledger’s: correct what it names, then build the transaction again.',
  ],
  TRANSACTION_WOULD_FAIL: [
    'The transaction would fail in Move.',
    'Correct its arguments, or the state that it depends on.',
  ],
  ACCESS_RULES_INVALID: [
    'The file of access rules or tokens has a mistake.',
    'Correct the line that the message names; the old rules stay in force.',
  ],
  LOSS_NOT_EXAMINED: [
    'Redis may have lost a withdrawal that was sent.',
    'Look up on the ledger what the address has received. If it is missing, order it with the id of the message.',
  ],
  SPONSOR_NOT_IDLE: [
    'The sponsor still has work in flight, or is not drained.',
    'Drain the sponsor and wait until its state is drained.',
  ],
  INVALID_AUTHORIZATION_TOKEN: [
    'The token is missing or wrong.',
    'Check the token, and whether it has expired.',
  ],
  UNAUTHORIZED: ['The token is missing or wrong.', 'Check the token, and whether it has expired.'],
  FORBIDDEN: [
    'The access rules or the token’s role do not allow it.',
    'The page Access explains which rule decides. ' + ASK_OPERATOR,
  ],
  NOT_FOUND: ['The gateway has no such route.', 'Check the path and the gateway’s version.'],
  TRANSACTION_UNKNOWN: [
    'There is no record of it for this token.',
    'Check the digest or id. Records are kept for a limited time.',
  ],
  WEBHOOK_UNKNOWN: [
    'There is no such webhook or delivery for this token.',
    'Reload the page: the configuration may have changed.',
  ],
  BODY_ENCODED: ['The request is compressed.', 'Send it without Content-Encoding.'],
  PAYLOAD_TOO_LARGE: ['The request is too large.', 'Send a smaller transaction.'],
  RATE_LIMITED: ['The token has used its rate.', SLOW_DOWN],
  SIGNER_UNREACHABLE: [
    'The service that holds the sponsor’s key does not sign.',
    'Repeat the same call shortly. An operator examines the service with forecourt doctor.',
  ],
  TOO_MANY_REQUESTS: ['This address sends too many requests.', SLOW_DOWN],
  RESERVATION_LIMIT: [
    'The token holds as much as it may.',
    'Execute or release open reservations first.',
  ],
  QUARANTINE_LIMIT: [
    'Too many of the token’s transactions are quarantined, because users sent conflicting ones.',
    'Wait. Let users finish one transaction before they sign the next one over the same objects.',
  ],
  REFUSED_TOO_OFTEN: [
    'Too many of the token’s transactions were refused within a minute.',
    'Find out why they are refused; the list of refusals shows the reasons.',
  ],
  SPENDING_LIMIT: [
    'A limit on spending is reached.',
    'Wait for the next window, or have the limit raised.',
  ],
  REQUEST_LIMIT: [
    'A limit on the number of requests is reached.',
    'Wait for the next window, or have the limit of the rule raised.',
  ],
  DRY_RUN_LIMIT: ['The token has used its dry runs of this minute.', SLOW_DOWN],
  INTERNAL: [
    'Something unexpected failed.',
    'The id of the request finds the line in the gateway’s log.',
  ],
  HISTORY_OFF: [
    'This gas station keeps no history.',
    'The operator sets HISTORY_ADDRESS and runs the history service.',
  ],
  EVENTS_INDEX_OFF: [
    'The events service keeps no index of events.',
    'The operator sets EVENTS_DATABASE_URL of the events services.',
  ],
  ACCESS_UNDECIDED: [
    'A hook or policy server gives no decision.',
    'Repeat the call; the operator checks the hook.',
  ],
  ACCESS_RULES_NOT_EVERYWHERE: [
    'Some gateways still use the old rules.',
    'The message names them. Look at their files and logs.',
  ],
  NO_COINS: [
    'The pool has no coins for this budget now.',
    'Try again shortly. If it stays so, send coins to the sponsor.',
  ],
  INPUT_UNDECIDED: ['The node does not show an input yet.', REPEAT],
  OUTCOME_UNKNOWN: ['The transaction is submitted, and its outcome is not known yet.', REPEAT],
  LEDGER_UNREACHABLE: [
    'The ledger’s node does not answer. This says nothing about the sponsor’s coins.',
    'Check the node’s provider; the services go on by themselves when it answers.',
  ],
  LEDGER_ANSWER_INVALID: [
    'A ledger’s node answers, and its answer is malformed or about another call.',
    'The log names the node and the reason. Compare the versions of node and release, or use another node.',
  ],
  STORE_UNREACHABLE: [
    'The coin-pool or its Redis does not answer.',
    'Bring back the same Redis with its data; the services reconnect.',
  ],
  HISTORY_UNREACHABLE: [
    'History or its database does not answer. Sponsoring goes on.',
    'Start PostgreSQL and history again; no record is lost.',
  ],
  EVENTS_UNREACHABLE: [
    'The events service or the database of its index does not answer. Live events go on.',
    'Start PostgreSQL and the events service again; no event is lost.',
  ],
  COIN_POOL_OUTDATED: ['The coin-pool is being upgraded.', 'Try again shortly.'],
  OVERLOADED: ['Too many requests are in progress.', SLOW_DOWN],
  POOL_REFUSED: [
    'The coin-pool cannot serve this now.',
    'The message names the reason. Try again shortly.',
  ],
  NOT_READY: ['A part of the fleet is not ready.', 'Wait until it is, or look at its log.'],
  PAUSED: [
    'An operator has paused sponsoring.',
    'The message has the reason; the page Pool shows who paused it.',
  ],
  SPONSOR_DRAINED: [
    'The sponsor is drained and no other takes over.',
    'End the drain, or add a sponsor.',
  ],
  SHUTTING_DOWN: ['This replica is stopping.', REPEAT],
  NO_ANSWER: [
    'The gateway does not answer.',
    'Check the connection and whether the gateway runs. The page tries again by itself.',
  ],
};

/** The codes that a refused request can have, in order. */
export const refusalCodes: readonly string[] = Object.keys(explanations)
  .filter((code) => !NEVER_RECORDED.has(code as Known))
  .sort();

/** The ledger’s refusals by their text: nodes name no codes. */
const ofLedger: readonly (readonly [text: RegExp, cause: string, remedy: string])[] = [
  [
    /equivocated/i,
    'The user signed several transactions over one object; none of them can execute in this epoch.',
    'Build the transaction again in the next epoch. Let users finish one transaction before they sign the next one over the same objects.',
  ],
  [
    /reserved for another transaction|locked objects/i,
    'Another transaction has locked an object of this one.',
    'Wait for the other transaction, then build this one again.',
  ],
  [
    /is denied for coin|globally paused/i,
    'The issuer of a regulated coin denies it to an address, or has paused it.',
    'Ask the issuer of the coin.',
  ],
  [
    /size limit exceeded|too many commands|too large/i,
    'The transaction is larger than the ledger permits.',
    'Split it into smaller transactions.',
  ],
  [
    /expired/i,
    'The transaction names an epoch that is over.',
    'Build and sign it again, for a later epoch or without an expiration.',
  ],
  [
    /feature is not supported/i,
    'The network does not support a feature of the transaction.',
    'Build the transaction with an SDK of this network’s version.',
  ],
  [
    /as shared is not shared|starting version|owned by other objects|is frozen|mutable parameter/i,
    'An object is not used as what it is: owned, shared, immutable or a child of another one.',
    'Look the object up, and pass it as owned or shared according to its owner.',
  ],
  [
    /cannot appear more than onc?e/i,
    'The transaction names an object twice.',
    'Pass each object once.',
  ],
  [
    /package verification failed|publish\/upgrade/i,
    'The ledger does not accept the published package.',
    'Build the package with the compiler of this network, and check its upgrade policy.',
  ],
  [
    /invalid object digest/i,
    'The digest of an object is wrong.',
    'Build the transaction again, with the object’s present version and digest.',
  ],
  [
    /not available for consumption|wrong initial version/i,
    'An object has changed since the transaction was built.',
    'Build the transaction again.',
  ],
  [
    /could not find|not found/i,
    'An object or package of the transaction does not exist.',
    'Check the ids, and that they are of this network.',
  ],
  [
    /gas price|gas budget|lower than the needed/i,
    'The gas price or budget does not suit the ledger.',
    'Build the transaction again with the reference gas price and the reserved budget.',
  ],
  [
    /owned by account|signature|signer/i,
    'The signature does not fit the transaction, or an object belongs to somebody else.',
    'Let the owner of the objects sign exactly these bytes.',
  ],
];

/** Explains a code; one of a newer gateway too. `message`: of the ledger, which says more than its code. */
export function explainError(code: string, message = ''): ErrorExplanation {
  const own = code === 'REFUSED_BY_LEDGER' && ofLedger.find(([text]) => text.test(message));
  if (own) return { cause: own[1], remedy: own[2] };
  const known: Readonly<Record<string, readonly [string, string]>> = explanations;
  const [cause, remedy] = Object.hasOwn(known, code)
    ? known[code]!
    : ['The request failed.', 'The message has the reason.'];
  return { cause, remedy };
}
