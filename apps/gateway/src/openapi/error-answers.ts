import { type ErrorCode, errorTable } from '@forecourt/contracts';
import { ERROR_CODE_HEADER } from '../http/answer-error.js';
import { REFUSAL_CODES, type RouteDeclaration } from '../access/route-declaration.js';

/** Examples of the details that are a whole message. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'gas_budget must be an integer from 1 to 1999999999; got 0',
  REFUSED_BY_LEDGER: 'Object 0x5e1f… is not available for consumption',
  ACCESS_RULES_INVALID: 'ACCESS_RULES_FILE, line 4: action must be allow or deny',
  FORBIDDEN: 'The access rules do not allow this transaction',
};

const STATUS: Readonly<Record<number, string>> = {
  400: 'The request, the transaction, its signature, its gas payment or its reservation is invalid, or the ledger refuses the transaction.',
  401: 'The bearer token is missing or wrong.',
  403: 'The access rules do not allow it, or the token lacks the role.',
  404: 'There is no record of it.',
  413: 'The body is too large.',
  415: 'The body is compressed.',
  429: 'A limit of the token, or on spending, is reached; `Retry-After` says when to try again.',
  500: 'A defect; the id in the message finds the line in the log.',
  501: 'This gas station keeps no history.',
  503: 'Coins, a dependency or a decision is not available now; `Retry-After` says when to try again.',
};

/** An example of the message that a caller sees. */
export function messageOf(code: ErrorCode): string {
  return errorTable[code].message.replace('{detail}', DETAILS[code] ?? '…');
}

/** All errors of a route: those that it declares, and those of its role, its admission class and its body. */
export function errorCodesOf(
  { access, admission, errorCodes = [] }: RouteDeclaration,
  readsBody: boolean,
): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(errorCodes);
  const add = (...more: readonly ErrorCode[]) => more.forEach((code) => codes.add(code));
  if (readsBody) add('INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'BODY_ENCODED');
  if (admission !== undefined) add('OVERLOADED');
  if (typeof access === 'object') {
    add(REFUSAL_CODES[access.roles[0]], 'FORBIDDEN', 'RATE_LIMITED', 'STORE_UNREACHABLE');
    add('COIN_POOL_OUTDATED', 'SHUTTING_DOWN', 'INTERNAL');
  }
  return [...codes];
}

/**
 * The answers of an operation that can fail in these ways: one per status, with an example for each error.
 */
export function errorAnswers(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [String(status), answerOf(status, own)]),
  );
}

function answerOf(status: number, codes: readonly ErrorCode[]): object {
  const examples: Record<string, object> = {};
  for (const one of codes) {
    examples[one] = { summary: errorTable[one].message, value: { error: messageOf(one) } };
  }
  const code = {
    description: 'The error, for programs: it stays the same if the message changes.',
    schema: { type: 'string', enum: codes },
  };
  const seconds = { description: 'Seconds', schema: { type: 'integer', minimum: 0 } };
  const retries = status === 503 || status === 429;
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description: STATUS[status],
    headers: { [ERROR_CODE_HEADER]: code, ...(retries && { 'Retry-After': seconds }) },
    content: { 'application/json': { schema, examples } },
  };
}
