import type { RawAnswer } from './http-exchange.js';

/** Internal details: stacks, paths, modules, codes of the platform, addresses of other services. */
const INTERNALS =
  /\n\s*at |node_modules|node:|file:\/\/|\/(?:tmp|home|usr|work|root|app|dist|src)\/|\.[cm]?[jt]s:\d|\b(?:FST_|ERR_|HPE_|ECONN|EPIPE)|\b(?:fastify|nestjs|ioredis|bullmq|undici|lua|EVALSHA)\b|\b(?:TypeError|RangeError|ReferenceError|SyntaxError)\b|Cannot read propert|is not a function|is not iterable|call stack|127\.0\.0\.1/i;

const RPC_CODES = new Set([-32700, -32701, -32600, -32601, -32602, -32000, -32006, -32010]);

/** Expected on every route: the path, the token or HTTP itself is wrong. */
const REFUSED_BEFORE_ROUTES = new Set([400, 401, 408, 417, 431]);

/** The pool may really be empty while garbage holds coins, and a damaged id may belong to a future object. */
const MAY_WAIT = /^(No gas coins available|The ledger node does not show everything)/;

/** The fault of an answer of the service's own routes; null: none. */
export function judge({ status, headers, body }: RawAnswer, method: string): string | null {
  const internals = INTERNALS.exec(body);
  if (internals) return `shows internals: ${internals[0]}`;
  if (status >= 200 && status < 300) return null;
  if (status !== 503 && (status < 400 || status >= 500)) return `status ${status}`;
  if (method === 'HEAD') return null;
  const read = parse(body);
  // The only route that answers a plain text.
  if (status === 401 && read === 'Unauthorized') return null;
  if (!isRecord(read)) return 'the body is not a JSON object';
  if (Object.keys(read).join() !== 'error') return `fields ${Object.keys(read).join()}`;
  const { error } = read;
  if (typeof error !== 'string' || error.length < 5) return `error is ${JSON.stringify(error)}`;
  if (error.length > 2_000) return `the error has ${error.length} characters`;
  if (status !== 503) return null;
  if (!MAY_WAIT.test(error)) return `503: ${error}`;
  return headers['retry-after'] === undefined ? '503 without Retry-After' : null;
}

/** The same for `/rpc`, whose errors follow JSON-RPC. */
export function judgeRpc(answer: RawAnswer, method: string): string | null {
  const { status, body } = answer;
  if (method !== 'POST') return judge(answer, method);
  const internals = INTERNALS.exec(body);
  if (internals) return `shows internals: ${internals[0]}`;
  if (status === 204) return body === '' ? null : '204 with a body';
  if (status !== 200 && (status < 400 || status >= 500)) return `status ${status}`;
  const wrong = judgeReplies(body);
  return wrong !== null && REFUSED_BEFORE_ROUTES.has(status) ? judge(answer, method) : wrong;
}

/** The same for one message of `/rpc`, single or batch. */
export function judgeReplies(text: string): string | null {
  const internals = INTERNALS.exec(text);
  if (internals) return `shows internals: ${internals[0]}`;
  const read = parse(text);
  const replies: unknown[] = Array.isArray(read) ? read : [read];
  if (replies.length === 0) return 'an empty batch';
  for (const reply of replies) {
    const wrong = judgeReply(reply);
    if (wrong !== null) return wrong;
  }
  return null;
}

function judgeReply(reply: unknown): string | null {
  if (!isRecord(reply) || reply['jsonrpc'] !== '2.0') return 'no JSON-RPC 2.0';
  // A notification of a subscription that garbage opened by chance.
  if (typeof reply['method'] === 'string' && isRecord(reply['params'])) return null;
  const { id, error } = reply;
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return 'a wrong id';
  if ('result' in reply) return error === undefined ? null : 'result and error';
  if (!isRecord(error)) return 'neither result nor error';
  const { code, message } = error;
  if (typeof code !== 'number' || !RPC_CODES.has(code)) return `code ${JSON.stringify(code)}`;
  if (typeof message !== 'string' || message.length < 5) return 'no message';
  return message.length > 2_000 ? `the message has ${message.length} characters` : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
