import { StringDecoder } from 'node:string_decoder';
import { readRetryAfter } from '@forecourt/resilience';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { Dispatcher } from 'undici';
import type { NodeSession } from './node-calls.js';
import { InvalidReply, RateLimited } from './upstream-errors.js';

/** Memory needed to parse a response, as a multiple of its size. */
const PARSING_FACTOR = 2;
const TOO_MANY_REQUESTS = 429;

type Response = Dispatcher.ResponseData;

export interface JsonRpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

/**
 * Reads a JSON-RPC reply, counting its memory. Throws `RateLimited` for status 429 and for error -32009, `InvalidReply`
 * for any other status but 2xx, for anything but a JSON-RPC reply and for one of more than `mostBytes`, and -32702 if it
 * exceeds the session's limit.
 */
export async function readReply(
  response: Response,
  session: NodeSession,
  mostBytes: number,
): Promise<JsonRpcReply> {
  const { statusCode, headers, body } = response;
  const retryAfterMs = readRetryAfter(headers['retry-after']);
  if (statusCode === TOO_MANY_REQUESTS) {
    // An unread body would keep its connection occupied.
    await body.dump().catch(() => undefined);
    throw new RateLimited(retryAfterMs);
  }
  const reply = parse(await readText(body, session, mostBytes));
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  if (!isSuccess || !isReply(reply)) throw new InvalidReply(describe(response, reply));
  if (reply.error?.code === JsonRpcCode.tooManyRequests) throw new RateLimited(retryAfterMs);
  return reply;
}

async function readText(
  body: Response['body'],
  session: NodeSession,
  mostBytes: number,
): Promise<string> {
  const decoder = new StringDecoder();
  const releases: (() => void)[] = [];
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > session.maxResponseBytes) throw tooBig(session.maxResponseBytes);
      if (bytes > mostBytes) throw new InvalidReply(`the answer exceeds ${mostBytes} bytes`);
      releases.push(session.addMemory(PARSING_FACTOR * chunk.length));
      text += decoder.write(chunk);
    }
    return text + decoder.end();
  } finally {
    session.charge(bytes);
    for (const release of releases) release();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isReply(value: unknown): value is JsonRpcReply {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { error } = value as { error?: unknown };
  if (error === undefined || error === null) return 'result' in value;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'number' && typeof message === 'string';
}

function describe({ statusCode, headers }: Response, reply: unknown): string {
  const type = headers['content-type'] ?? 'no content type';
  const said = isReply(reply) && reply.error ? `: ${reply.error.message}` : '';
  const advice =
    statusCode === 401 || statusCode === 403
      ? '; it may need headers (EVENTS_UPSTREAM_HEADERS)'
      : '';
  return `ledger node responds with HTTP status ${statusCode} (${String(type)}) instead of a JSON-RPC reply${said}${advice}`;
}

function tooBig(limit: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: the response of the ledger node exceeds ${limit} bytes; request fewer events`,
  );
}
