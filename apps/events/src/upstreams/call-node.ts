import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpHeaders } from '@forecourt/runtime/config';
import { type LedgerCall, startStopwatch } from '@forecourt/runtime/metrics';
import {
  answerBound,
  type GrpcTransport,
  NodeFailure,
  NodeRefusal as GrpcRefusal,
} from '@forecourt/ledger';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { readRetryAfter, RestAfterFailure } from '@forecourt/resilience';
import { request, type Dispatcher } from 'undici';
import {
  type ReportFault,
  InvalidReply,
  NodeRefused,
  RateLimited,
  UpstreamFailed,
} from './upstream-errors.js';
import type { NodeSession } from './node-calls.js';

/** Maximum number of repetitions of a call that the node's rate limit refused. */
const MAX_REPEATS = 2;

/** A node and the options of its calls. */
export interface NodeOptions {
  readonly url: string;
  /** Sent with every call and with the WebSocket's handshake. */
  readonly headers: HttpHeaders;
  /** Time-out of one call. */
  readonly timeoutMs: number;
  /** One for each node, shared by all its callers. */
  readonly pause: NodePause;
  /** Called after every call. */
  readonly onCall?: ((call: LedgerCall) => void) | undefined;
  readonly onFault: ReportFault;
}

/** Calls one JSON-RPC method of a node. The result has the shape documented by the node. */
export type CallNode = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/**
 * Creates the calls of one session. They throw `NodeRefused` for an error response, `RateLimited` for a refusal that is
 * unrelated to the call, `UpstreamFailed` for every other failure of the node, and `JsonRpcError` if the client has
 * exceeded a limit or has disconnected. Nodes refuse batches, so every call is a separate request. `grpc`: the transport
 * of a node that speaks gRPC.
 */
export function createCallNode(
  node: NodeOptions,
  grpc?: GrpcTransport,
): (session: NodeSession) => CallNode {
  const { pause } = node;
  let nextId = 1;

  async function callOnce<T>(
    method: string,
    params: readonly unknown[],
    session: NodeSession,
    signal: AbortSignal | null,
  ): Promise<T> {
    const seconds = startStopwatch();
    let outcome: LedgerCall['outcome'] = 'unreachable';
    try {
      const result = grpc
        ? await callOverGrpc(grpc, { method, params, signal }, node, session)
        : await callOverRpc({ jsonrpc: '2.0', id: nextId++, method, params }, session, signal);
      requireAsked(method, params, result);
      outcome = 'answered';
      return result as T;
    } catch (error) {
      if (error instanceof RateLimited || error instanceof NodeRefused) outcome = 'refused';
      throw error;
    } finally {
      node.onCall?.({ method, outcome, seconds: seconds() });
    }
  }

  async function callOverRpc(
    call: JsonRpcCall,
    session: NodeSession,
    signal: AbortSignal | null,
  ): Promise<unknown> {
    const { error, result } = await post(node, call, session, signal);
    if (error) throw new NodeRefused(error.code, `${call.method}: ${error.message}`);
    return result;
  }

  async function callWithinRate<T>(once: () => Promise<T>, signal: AbortSignal | null): Promise<T> {
    for (let repeats = 0; ; repeats++) {
      await pause.pass(signal);
      try {
        const result = await once();
        pause.end();
        return result;
      } catch (error) {
        reportFault(node, error);
        if (!(error instanceof RateLimited)) throw error;
        pause.begin(error);
        if (repeats === MAX_REPEATS) throw error;
      }
    }
  }

  return (session) => (method, params) =>
    session.call((signal) =>
      callWithinRate(() => callOnce(method, params, session, signal), signal),
    );
}

interface JsonRpcCall {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const BY_DIGEST: ReadonlySet<string> = new Set([
  'iota_getTransactionBlock',
  'iota_multiGetTransactionBlocks',
]);

/** Throws `InvalidReply` for transactions that were not asked for, as a proxy answers that mixes answers up. */
function requireAsked(method: string, params: readonly unknown[], result: unknown): void {
  if (!BY_DIGEST.has(method)) return;
  const asked = new Set([params[0]].flat());
  for (const shown of [result].flat() as ({ readonly digest?: unknown } | null)[]) {
    if (shown?.digest === undefined || asked.has(shown.digest)) continue;
    const digest = JSON.stringify(shown.digest);
    throw new InvalidReply(`ledger node answers ${method} about another transaction: ${digest}`);
  }
}

async function callOverGrpc(
  grpc: GrpcTransport,
  call: { method: string; params: readonly unknown[]; signal: AbortSignal | null },
  { timeoutMs }: NodeOptions,
  session: NodeSession,
): Promise<unknown> {
  const { method, params, signal } = call;
  try {
    const result = await grpc.call({ method, params }, timeoutMs);
    signal?.throwIfAborted();
    if (session.maxResponseBytes < Infinity) chargeFor(result, session);
    return result;
  } catch (error) {
    throw upstreamError(error, method);
  }
}

function chargeFor(result: unknown, session: NodeSession): void {
  const bytes = JSON.stringify(result).length;
  session.charge(bytes);
  if (bytes > session.maxResponseBytes) {
    throw new JsonRpcError(JsonRpcCode.responseTooBig, 'Response is too big: request fewer events');
  }
}

/** The error of a call or a stream over gRPC as the sources know it. */
export function upstreamError(error: unknown, method: string): unknown {
  if (error instanceof GrpcRefusal)
    return new NodeRefused(error.code, `${method}: ${error.message}`);
  if (!(error instanceof NodeFailure)) return error;
  return new UpstreamFailed(`ledger node unavailable: ${error.message}`, { cause: error });
}

function reportFault({ url, onFault }: NodeOptions, error: unknown): void {
  const { host } = new URL(url);
  if (error instanceof RateLimited) {
    onFault({ kind: 'rate_limited', host, message: error.message });
  } else if (error instanceof InvalidReply) {
    onFault({ kind: 'invalid_reply', host, message: error.message });
  }
}

async function post(
  { url, headers, timeoutMs }: NodeOptions,
  call: JsonRpcCall,
  session: NodeSession,
  signal: AbortSignal | null,
): Promise<JsonRpcReply> {
  // Not AbortSignal.any(): composites accumulate on a signal that lives as long as a connection.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error('timed out')), timeoutMs);
  const onAbort = () => abort.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    // Redirects are not followed: they could send the headers, which hold keys, to another host.
    const response = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(call),
      signal: abort.signal,
    });
    return await readReply(response, session, answerBound(call));
  } catch (cause) {
    // A response that is too big or a client that has disconnected is not the node's failure.
    if (cause instanceof JsonRpcError || cause instanceof UpstreamFailed || signal?.aborted) {
      throw cause;
    }
    // An AggregateError, with one failure for each address of a host, has no message.
    const { message, code } = cause as NodeJS.ErrnoException;
    const reason = message || (code ?? String(cause));
    throw new UpstreamFailed(`ledger node unavailable: ${reason}`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Memory needed to parse a response, as a multiple of its size. */
const PARSING_FACTOR = 2;
const TOO_MANY_REQUESTS = 429;

type Response = Dispatcher.ResponseData;

interface JsonRpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

/**
 * Reads a JSON-RPC reply, counting its memory. Throws `RateLimited` for status 429 and for error -32009, `InvalidReply`
 * for any other status but 2xx, for anything but a JSON-RPC reply and for one of more than `mostBytes`, and -32702 if it
 * exceeds the session's limit.
 */
async function readReply(
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

/** The longest also if the node asks for more: a wrong header must not disable the node for hours. */
const PAUSES = { firstMs: 500, longestMs: 30_000 };
/** Longest wait of a call; during a longer pause it fails, so that another node is used. */
const MAX_WAIT_MS = 2_000;

/** Respects a node's rate limit: after a refusal no call is made before the pause has passed. */
export class NodePause {
  readonly #rest = new RestAfterFailure(PAUSES);

  /** Waits for the end of a short pause. Throws `RateLimited` during a long one, and an `AbortError` when `signal` aborts. */
  async pass(signal: AbortSignal | null): Promise<void> {
    const waitMs = this.#rest.remainingMs;
    if (waitMs === 0) return;
    if (waitMs > MAX_WAIT_MS) throw new RateLimited(waitMs);
    await sleep(waitMs, undefined, signal ? { signal } : {});
  }

  begin({ retryAfterMs }: RateLimited): void {
    this.#rest.fail(retryAfterMs);
  }

  /** Called when the node responds. A call that began before the pause does not end it. */
  end(): void {
    if (this.#rest.remainingMs === 0) this.#rest.succeed();
  }
}
