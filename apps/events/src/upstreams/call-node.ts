import { type LedgerCall, startStopwatch } from '@forecourt/runtime/metrics';
import { JsonRpcError } from '@forecourt/json-rpc';
import { UpstreamFailed } from './event-source.js';
import type { NodeWork } from './node-work.js';
import { readJson } from './read-json.js';

interface JsonRpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The node answered with a JSON-RPC error. */
export class NodeRefused extends UpstreamFailed {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A node, and how it is called. */
export interface NodeOptions {
  readonly url: string;
  /** Time limit of one call. */
  readonly timeoutMs: number;
  /** Hears of every call when it has ended. */
  readonly onCall?: (call: LedgerCall) => void;
}

/** Calls one JSON-RPC method of a node. The result has the shape that the node's documentation gives it. */
export type CallNode = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/**
 * The result makes the calls of one piece of work. They throw `NodeRefused` for an error reply, `UpstreamFailed` for
 * everything else that goes wrong at the node, and `JsonRpcError` when the client may not have more, or is gone.
 */
export function createCallNode(node: NodeOptions): (work: NodeWork) => CallNode {
  let nextId = 1;
  return (work) =>
    <T>(method: string, params: readonly unknown[]) =>
      work.call(async (signal) => {
        const seconds = startStopwatch();
        let outcome: LedgerCall['outcome'] = 'unreachable';
        try {
          const body = { jsonrpc: '2.0', id: nextId++, method, params };
          const reply = await post(node, body, work, signal);
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
  work: NodeWork,
  signal: AbortSignal | null,
): Promise<JsonRpcReply> {
  // No composite signal: they add up on one that lives as long as a connection.
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new Error('no answer in time')), timeoutMs);
  const leave = () => stop.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: stop.signal,
    });
    return (await readJson(response, work)) as JsonRpcReply;
  } catch (cause) {
    // Neither what is too big nor a client that has gone is the node's failure.
    if (cause instanceof JsonRpcError || signal?.aborted) throw cause;
    const inner = (cause as Error).cause;
    const reason = inner instanceof Error ? inner.message : (cause as Error).message;
    throw new UpstreamFailed(`the node does not answer: ${reason}`, { cause });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', leave);
  }
}
