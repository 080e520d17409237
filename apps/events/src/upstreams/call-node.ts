import type { HttpHeaders } from '@forecourt/runtime/config';
import { type LedgerCall, startStopwatch } from '@forecourt/runtime/metrics';
import {
  clientThrough,
  type GrpcNode,
  createJsonRpcClient,
  type NodeClient,
  NodeFailure,
  NodeRefusal,
  postCall,
  type RpcCall,
} from '@forecourt/ledger';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { readRetryAfter } from '@forecourt/resilience';
import type { ReportFault } from './fault-report.js';
import { InvalidReply } from './invalid-reply.js';
import { RateLimited } from './rate-limited.js';
import { NodeRefused } from './node-refused.js';
import { UpstreamFailed } from './upstream-failed.js';
import type { NodeSession } from './node-calls.js';
import { NodePause } from './node-pause.js';

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
 * Creates the calls of one session at a node of the legacy dialect, or of an unknown one. They throw
 * `NodeRefused` for an error response, `RateLimited` for a refusal that is unrelated to the call,
 * `UpstreamFailed` for every other failure of the node, and `JsonRpcError` if the client has exceeded a limit
 * or has disconnected. Nodes refuse batches, so every call is a separate request.
 */
export function createCallNode(node: NodeOptions): (session: NodeSession) => CallNode {
  const post = createPost(node);
  return (session) =>
    <T>(method: string, params: readonly unknown[]) =>
      carryOut(node, session, method, async (signal) => {
        return (await post({ method, params, signal }, session)) as T;
      });
}

/** Creates the client of one session at an IOTA node, over gRPC where that is given; throws as the above. */
export function createNodeClient(
  node: NodeOptions,
  grpc?: GrpcNode,
): (session: NodeSession) => NodeClient {
  const post = createPost(node);
  return (session) =>
    clientThrough((call) =>
      carryOut(node, session, call.method, async (signal) => {
        if (!grpc) {
          return call.ask(createJsonRpcClient((one) => post({ ...one, signal }, session)));
        }
        const result = await grpc.run(call, node.timeoutMs);
        signal?.throwIfAborted();
        if (session.maxResponseBytes < Infinity) chargeFor(result, session);
        return result;
      }),
    );
}

/** Memory needed to parse a response, as a multiple of its size. */
const PARSING_FACTOR = 2;

/**
 * Posts calls, counts each answer and its memory, and ends with -32702 where it exceeds the session's limit.
 */
function createPost({ url, headers, timeoutMs }: NodeOptions) {
  let nextId = 1;
  return async (call: RpcCall, session: NodeSession): Promise<unknown> => {
    const releases: (() => void)[] = [];
    let bytes = 0;
    const onBytes = (more: number) => {
      bytes += more;
      if (bytes > session.maxResponseBytes) throw tooBig(session.maxResponseBytes);
      releases.push(session.addMemory(PARSING_FACTOR * more));
    };
    try {
      return await postCall({ url, headers, timeoutMs, onBytes }, call, nextId++);
    } finally {
      session.charge(bytes);
      for (const release of releases) release();
    }
  };
}

type Run<T> = (signal: AbortSignal | undefined) => Promise<T>;

/** Makes a call in its turn, again after short pauses for the node's rate limit. */
function carryOut<T>(
  node: NodeOptions,
  session: NodeSession,
  method: string,
  run: Run<T>,
): Promise<T> {
  return session.call(async (signal) => {
    for (let repeats = 0; ; repeats++) {
      await node.pause.pass(signal);
      try {
        const result = await runOnce(node, method, () => run(signal ?? undefined));
        node.pause.end();
        return result;
      } catch (error) {
        reportFault(node, error);
        if (!(error instanceof RateLimited)) throw error;
        node.pause.begin(error);
        if (repeats === MAX_REPEATS) throw error;
      }
    }
  });
}

async function runOnce<T>(node: NodeOptions, method: string, run: () => Promise<T>): Promise<T> {
  const seconds = startStopwatch();
  let outcome: LedgerCall['outcome'] = 'unreachable';
  try {
    const result = await run();
    outcome = 'answered';
    return result;
  } catch (cause) {
    const error = upstreamError(cause, method);
    if (error instanceof RateLimited || error instanceof NodeRefused) outcome = 'refused';
    if (cause instanceof NodeFailure && cause.isInvalid) outcome = 'invalid';
    throw error;
  } finally {
    node.onCall?.({ method, outcome, seconds: seconds() });
  }
}

function chargeFor(result: unknown, session: NodeSession): void {
  const bytes = JSON.stringify(result).length;
  session.charge(bytes);
  if (bytes > session.maxResponseBytes) {
    throw new JsonRpcError(JsonRpcCode.responseTooBig, 'Response is too big: request fewer events');
  }
}

/** The error of a call or a stream as the sources know it. */
export function upstreamError(error: unknown, method: string): unknown {
  if (error instanceof NodeRefusal) {
    const { code, message } = error;
    if (Number.isNaN(code))
      return new InvalidReply(`ledger node answers with no error: ${message}`);
    return new NodeRefused(code, `${method}: ${message}`);
  }
  if (!(error instanceof NodeFailure)) return error;
  const { cause, response, retryAfterMs } = error;
  // The client's limits are not the node's failure.
  if (cause instanceof JsonRpcError) return cause;
  if (retryAfterMs !== undefined) {
    return new RateLimited(readRetryAfter(response?.headers['retry-after']));
  }
  if (response) return new InvalidReply(describe(error, response));
  if (error.isInvalid) return new InvalidReply(`ledger node answers, but ${error.message}`);
  return new UpstreamFailed(`ledger node unavailable: ${error.message}`, { cause: error });
}

function describe(
  { cause, message }: NodeFailure,
  { statusCode, headers }: NonNullable<NodeFailure['response']>,
): string {
  const type = headers['content-type'] ?? 'no content type';
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  const said = cause instanceof NodeRefusal ? cause.message : isSuccess && message;
  const advice =
    statusCode === 401 || statusCode === 403
      ? '; it may need headers (EVENTS_UPSTREAM_HEADERS)'
      : '';
  return `ledger node responds with HTTP status ${statusCode} (${String(type)}) instead of a JSON-RPC reply${said ? `: ${said}` : ''}${advice}`;
}

function reportFault({ url, onFault }: NodeOptions, error: unknown): void {
  const { host } = new URL(url);
  if (error instanceof RateLimited) {
    onFault({ kind: 'rate_limited', host, message: error.message });
  } else if (error instanceof InvalidReply) {
    onFault({ kind: 'invalid_reply', host, message: error.message });
  }
}

function tooBig(limit: number): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.responseTooBig,
    `Response is too big: the response of the ledger node exceeds ${limit} bytes; request fewer events`,
  );
}
