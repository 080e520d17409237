import type { HttpHeaders } from '@forecourt/runtime/config';
import { startHeartbeat } from '@forecourt/json-rpc';
import { WebSocket } from 'ws';
import { UpstreamFailed } from './upstream-failed.js';

const PING_MS = 10_000;

interface NodeSubscriptionOptions {
  /** `http:` or `https:`; the WebSocket has the same host, port and path. */
  readonly url: string;
  /** Sent with the handshake. */
  readonly headers: HttpHeaders;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with each notification's `result`, in order. */
  readonly onResult: (result: unknown) => void;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly params?: { readonly result?: unknown; readonly error?: { readonly message: string } };
}

interface NodeSubscription {
  /**
   * Settles when the subscription ends: resolves when `signal` has aborted, otherwise rejects with
   * `UpstreamFailed`.
   */
  readonly ended: Promise<void>;
}

/**
 * Subscribes over a separate WebSocket. Resolves when the node has confirmed or `signal` has aborted; throws
 * `UpstreamFailed`.
 */
export async function subscribeAtNode(options: NodeSubscriptionOptions): Promise<NodeSubscription> {
  const webSocket = new WebSocket(options.url.replace(/^http/, 'ws'), {
    headers: options.headers,
    handshakeTimeout: options.timeoutMs,
    perMessageDeflate: false,
  });
  let reason = 'connection closed';
  webSocket.on('error', (error) => (reason = error.message));
  const stop = () => webSocket.terminate();
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  const ended = new Promise<void>((resolve, reject) => {
    webSocket.once('close', () => {
      options.signal.removeEventListener('abort', stop);
      if (options.signal.aborted) resolve();
      else reject(new UpstreamFailed(`${options.method}: ${reason}`));
    });
  });
  // A failure before the confirmation is thrown below.
  ended.catch(() => undefined);

  const fail = (why: string) => {
    reason = why;
    webSocket.terminate();
  };
  const confirmed = new Promise<void>((resolve) => {
    webSocket.on('message', (data) => {
      const message = readMessage(data as Buffer);
      if (message === null) return fail('a message is not JSON');
      if (message.params?.error) return fail(message.params.error.message);
      if (message.params) return options.onResult(message.params.result);
      if (message.error) return fail(message.error.message);
      resolve();
    });
  });
  webSocket.once('open', () => {
    const { method, params } = options;
    webSocket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    startHeartbeat(webSocket, PING_MS, () => fail('no response to a ping'));
  });
  const timer = setTimeout(() => fail('subscription timed out'), options.timeoutMs);
  await Promise.race([confirmed, ended]).finally(() => clearTimeout(timer));
  return { ended };
}

function readMessage(data: Buffer): Message | null {
  try {
    return JSON.parse(data.toString()) as Message | null;
  } catch {
    return null;
  }
}
