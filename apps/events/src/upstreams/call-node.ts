import { type LedgerCall, startStopwatch } from '@forecourt/runtime/metrics';
import { JsonRpcError } from '@forecourt/json-rpc';
import { UpstreamFailed } from './event-source.js';
import type { NodeSession } from './node-session.js';
import { readJson } from './read-json.js';

interface JsonRpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The node responded with a JSON-RPC error. */
export class NodeRefused extends UpstreamFailed {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A node and how to call it. */
export interface NodeOptions {
  readonly url: string;
  /** Time-out of one call. */
  readonly timeoutMs: number;
  /** Called after every call. */
  readonly onCall?: (call: LedgerCall) => void;
}

/** Calls one JSON-RPC method of a node. The result has the shape documented by the node. */
export type CallNode = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/**
 * Creates the calls of one session. They throw `NodeRefused` for an error response, `UpstreamFailed` for every other failure
 * of the node, and `JsonRpcError` when the client has exceeded a limit or has disconnected.
 */
export function createCallNode(node: NodeOptions): (session: NodeSession) => CallNode {
  let nextId = 1;
  return (session) =>
    <T>(method: string, params: readonly unknown[]) =>
      session.call(async (signal) => {
        const seconds = startStopwatch();
        let outcome: LedgerCall['outcome'] = 'unreachable';
        try {
          const body = { jsonrpc: '2.0', id: nextId++, method, params };
          const reply = await post(node, body, session, signal);
          outcome = reply.error ? 'refused' : 'answered';
          if (reply.error) {
            throw new NodeRefused(reply.error.code, `${method}: ${reply.error.message}`);
          }
          return reply.result as T;
        } finally {
          node.onCall?.({ method, outcome, seconds: seconds() });
        }
      });
}

async function post(
  { url, timeoutMs }: NodeOptions,
  body: object,
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
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    return (await readJson(response, session)) as JsonRpcReply;
  } catch (cause) {
    // A response that is too big or a client that has disconnected is not the node's failure.
    if (cause instanceof JsonRpcError || signal?.aborted) throw cause;
    const inner = (cause as Error).cause;
    const reason = inner instanceof Error ? inner.message : (cause as Error).message;
    throw new UpstreamFailed(`ledger node unavailable: ${reason}`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
