import { once } from 'node:events';
import { WebSocket } from 'ws';
import { UpstreamFailed } from './event-source.js';

const PING_MS = 10_000;

export interface NodeSubscriptionOptions {
  /** `ws:` or `wss:`. */
  readonly url: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told of each notification's `result`, in order. */
  readonly onResult: (result: unknown) => void;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly params?: { readonly result?: unknown; readonly error?: { readonly message: string } };
}

/** A subscription at a node. */
export interface NodeSubscription {
  /** Settles when the subscription is over: rejects with `UpstreamFailed` saying why, resolves when `signal` aborted. */
  readonly over: Promise<void>;
}

/** Subscribes over a WebSocket of its own. Resolves once the node has agreed; throws `UpstreamFailed`. */
export async function subscribeAtNode(options: NodeSubscriptionOptions): Promise<NodeSubscription> {
  const webSocket = new WebSocket(options.url, {
    handshakeTimeout: options.timeoutMs,
    perMessageDeflate: false,
  });
  let reason = 'the connection was closed';
  webSocket.on('error', (error) => (reason = error.message));
  const closed = once(webSocket, 'close').then(() => undefined);
  const stop = () => webSocket.terminate();
  options.signal.addEventListener('abort', stop, { once: true });
  const over = closed.then(() => {
    options.signal.removeEventListener('abort', stop);
    if (!options.signal.aborted) throw new UpstreamFailed(`${options.method}: ${reason}`);
  });
  // Whoever waits for the agreement hears of it by that.
  over.catch(() => undefined);

  const fail = (why: string) => {
    reason = why;
    webSocket.terminate();
  };
  const agreed = new Promise<void>((resolve) => {
    webSocket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message;
      if (message.params?.error) return fail(message.params.error.message);
      if (message.params) return options.onResult(message.params.result);
      if (message.error) return fail(message.error.message);
      resolve();
    });
  });
  webSocket.once('open', () => {
    const { method, params } = options;
    webSocket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    watchNode(webSocket, () => fail('the node stopped answering'));
  });
  const late = setTimeout(() => fail('the node did not answer in time'), options.timeoutMs);
  await Promise.race([agreed, over]).finally(() => clearTimeout(late));
  return { over };
}

/** Pings the node, so that a connection whose other end has silently gone is noticed. */
function watchNode(webSocket: WebSocket, onSilence: () => void): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) return onSilence();
    answered = false;
    webSocket.ping();
  }, PING_MS);
  webSocket.on('pong', () => (answered = true));
  webSocket.once('close', () => clearInterval(timer));
}
