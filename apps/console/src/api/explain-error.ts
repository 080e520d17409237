import { type ErrorCode, errorTable } from '@forecourt/contracts/errors';
import { NO_ANSWER } from './gateway-error.js';

/** An error in plain words, and the remedy. */
export interface ErrorExplanation {
  readonly cause: string;
  readonly remedy: string;
}

/** Without a token there is no record of a refusal, nor of a route that sponsors nothing. */
const NEVER_RECORDED: ReadonlySet<string> = new Set<ErrorCode>([
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

const noAnswer: ErrorExplanation = {
  cause: 'The gateway does not answer.',
  remedy: 'Check the connection and whether the gateway runs. The page tries again by itself.',
};

/** The codes that a refused request can have, in order. */
export const refusalCodes: readonly string[] = Object.keys(errorTable)
  .filter((code) => !NEVER_RECORDED.has(code))
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
  if (code === NO_ANSWER) return noAnswer;
  return Object.hasOwn(errorTable, code)
    ? errorTable[code as ErrorCode]
    : { cause: 'The request failed.', remedy: 'The message has the reason.' };
}
