import { type LedgerCall, startStopwatch } from '@forecourt/metrics';
import { UpstreamFailed } from './event-source.js';

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

/** Throws `NodeRefused` for an error reply, `UpstreamFailed` for everything else that goes wrong. */
export function createCallNode({ url, timeoutMs, onCall }: NodeOptions): CallNode {
  let nextId = 1;
  return async <T>(method: string, params: readonly unknown[]) => {
    const seconds = startStopwatch();
    let outcome: LedgerCall['outcome'] = 'unreachable';
    try {
      const reply = await post(url, timeoutMs, { jsonrpc: '2.0', id: nextId++, method, params });
      outcome = reply.error ? 'refused' : 'answered';
      if (reply.error) throw new NodeRefused(reply.error.code, `${method}: ${reply.error.message}`);
      return reply.result as T;
    } finally {
      onCall?.({ method, outcome, seconds: seconds() });
    }
  };
}

async function post(url: string, timeoutMs: number, body: object): Promise<JsonRpcReply> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return (await response.json()) as JsonRpcReply;
  } catch (cause) {
    const inner = (cause as Error).cause;
    const reason = inner instanceof Error ? inner.message : (cause as Error).message;
    throw new UpstreamFailed(`the node does not answer: ${reason}`, { cause });
  }
}
