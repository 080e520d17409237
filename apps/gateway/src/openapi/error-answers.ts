import { type ErrorCode, errorTable } from '@forecourt/contracts';
import { ERROR_CODE_HEADER } from '../http/answer-error.js';
import { type JsonSchema, schemaNamed } from './json-schema.js';

/** What replaces `{detail}` in the examples. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'gas_budget must be an integer from 1 to 1999999999; got 0',
  INVALID_TRANSACTION_BYTES: 'unexpected end of input',
  GAS_OWNER_MISMATCH: 'it is the sender',
  GAS_PAYMENT_MISMATCH: 'one coin of the reservation is missing',
  GAS_BUDGET_ABOVE_RESERVED: '20000000 exceeds 10000000',
  GAS_COIN_USED: 'SplitCoins',
  RESERVED_COIN_IS_INPUT: '0x5e1f…',
  TRANSACTION_EXPIRED: 'after epoch 7',
  TOO_MANY_OBJECTS: '1500 exceed the limit of 512',
  GAS_PRICE_TOO_HIGH: '99999 exceeds 5000, 5 times the reference gas price',
  RESERVATION_UNKNOWN: '487777254309888',
  RESERVATION_EXPIRED: '487777254309888',
  RESERVATION_USED: '487777254309888',
  TRANSACTION_WOULD_FAIL: 'MoveAbort(…, 3) in command 0',
  REFUSED_BY_LEDGER: 'Object 0x5e1f… is not available for consumption',
  ACCESS_RULES_INVALID: 'ACCESS_RULES_FILE, line 4: action must be allow or deny',
  ACCESS_RULES_NOT_EVERYWHERE: 'gateway-2:17 (no answer)',
  FORBIDDEN: 'The access rules do not allow this transaction',
  NOT_FOUND: 'GET /v2/anything',
  TRANSACTION_UNKNOWN:
    'transaction 5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC: the ledger has not executed it, and there is no trace of it here',
  PAYLOAD_TOO_LARGE: 'Request body is too large',
  INPUT_IN_FLIGHT: 'object 0x5e1f… at version 7, by 5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
  RESERVATION_LIMIT: 'coins-per-minute',
  SPENDING_LIMIT: 'it is renewed within 3600 s',
  INPUT_UNDECIDED:
    'Could not find the referenced object 0x5e1f… at version Some(SequenceNumber(7))',
  OUTCOME_UNKNOWN: '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
  POOL_REFUSED: 'not open yet',
  NOT_READY: 'redis',
  PAUSED: 'the sponsor is being funded',
  SPONSOR_DRAINED: 'key rotation',
  SPONSOR_NOT_IDLE: 'coins are reserved or in flight; wait until the sponsor is drained',
  INTERNAL: '0b0c1f0e-6a5f-4a9e-9a57-1f3a4a0c2a11',
};

const STATUS: Readonly<Record<number, string>> = {
  400: 'The request, the transaction, its signature, its gas payment or its reservation is invalid, or the ledger refuses the transaction.',
  401: 'The bearer token is missing or wrong.',
  403: 'The access rules do not allow it, or the token lacks the role.',
  404: 'There is no trace of it.',
  413: 'The body is too large.',
  429: 'A limit of the token, or on spending, is reached; `Retry-After` says when to try again.',
  500: 'A defect; the id in the message finds the line in the log.',
  503: 'Coins, a dependency or a decision is not available now; `Retry-After` says when to try again.',
};

/** The message a caller sees. */
export function messageOf(code: ErrorCode): string {
  return errorTable[code].message.replace('{detail}', DETAILS[code] ?? '');
}

/** The answers of an operation that can fail in these ways: one per status, with an example for each error. */
export function errorAnswers(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errorTable[code].status === status);
      return [String(status), answerOf(status, own)];
    }),
  );
}

function answerOf(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const examples = Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: errorTable[code].message, value: { error: messageOf(code) } },
    ]),
  ) as JsonSchema;
  const retries = status === 503 || status === 429;
  const seconds = { description: 'Seconds', schema: { type: 'integer', minimum: 0 } };
  const code = {
    description: 'What went wrong, for programs: it stays the same if the message changes.',
    schema: { type: 'string', enum: codes },
  };
  return {
    description: STATUS[status],
    headers: { [ERROR_CODE_HEADER]: code, ...(retries && { 'Retry-After': seconds }) },
    content: {
      'application/json': {
        schema: schemaNamed('Error'),
        examples,
      },
    },
  };
}
