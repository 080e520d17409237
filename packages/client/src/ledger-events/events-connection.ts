import { readBaseUrl, requestHeaders, readTimeLimit } from '../calls/connection-options.js';
import { openWebSocket, type WebSocketLike } from './rpc-socket.js';

const DEFAULT_SILENCE_MS = 30_000;

export interface LedgerEventsOptions {
  /** Address of the gas station, whose `/rpc` serves the events; may be relative in a browser. */
  readonly url: string;
  /** For queries, if the service requires one. For subscriptions, set it in `webSocket`. */
  readonly token?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Opens a WebSocket, such as one with headers, or one of the package `ws` in Node 20. */
  readonly webSocket?: ((url: string) => WebSocketLike) | undefined;
  /** Time limit of a query's page, repeats included, and of opening a subscription, in ms; default 60 s. */
  readonly timeoutMs?: number | undefined;
  /**
   * The duration of silence, in ms, after which a subscription checks whether its connection is still alive;
   * default 30 s.
   */
  readonly silenceMs?: number | undefined;
}

/** The settings of queries and subscriptions. */
export interface EventsConnection {
  readonly httpUrl: string;
  readonly webSocketUrl: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof globalThis.fetch;
  readonly webSocket: (url: string) => WebSocketLike;
  readonly timeoutMs: number;
  readonly silenceMs: number;
}

/** Throws `TypeError` for an address, a token or a time limit that cannot be used. */
export function readEventsConnection(options: LedgerEventsOptions): EventsConnection {
  const httpUrl = `${readBaseUrl(options.url)}/rpc`;
  return {
    httpUrl,
    webSocketUrl: httpUrl.replace(/^http/, 'ws'),
    headers: requestHeaders(options.token),
    fetch: options.fetch ?? globalThis.fetch,
    webSocket: options.webSocket ?? openWebSocket,
    timeoutMs: readTimeLimit('timeoutMs', options.timeoutMs),
    silenceMs: readTimeLimit('silenceMs', options.silenceMs ?? DEFAULT_SILENCE_MS),
  };
}
