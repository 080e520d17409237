/** The part of a WebSocket that this package uses: browsers, Node 22 and later, and the package `ws` have one. */
export interface WebSocketLike {
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  send(text: string): void;
  close(): void;
}

/** Opens a global WebSocket. Throws `TypeError` if there is none. */
export function openWebSocket(url: string): WebSocketLike {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('There is no global WebSocket: pass webSocket');
  }
  return new globalThis.WebSocket(url);
}
