import type { HttpHeaders } from '@forecourt/runtime/config';
import { type LedgerCall, startStopwatch } from '@forecourt/runtime/metrics';
import {
  answerBound,
  type GrpcTransport,
  NodeFailure,
  NodeRefusal as GrpcRefusal,
} from '@forecourt/ledger';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { request } from 'undici';
import type { ReportFault } from './fault-report.js';
import type { NodeSession } from './node-calls.js';
import type { NodePause } from './node-pause.js';
import { type JsonRpcReply, readReply } from './read-reply.js';
import { InvalidReply, NodeRefused, RateLimited, UpstreamFailed } from './upstream-errors.js';

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
