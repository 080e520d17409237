import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** One client's WebSocket, seen from the server. */
export class RpcConnection {
  readonly #closed = new AbortController();
  #corked = false;

  constructor(
    readonly id: number,
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
  ) {
    webSocket.once('close', () => this.#closed.abort());
  }

  /** Aborted once the connection is gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Bytes that the client has not taken yet. */
  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  send(text: string): void {
    if (this.webSocket.readyState === WebSocket.OPEN) this.webSocket.send(text);
  }

  /**
   * Writes a frame made by `frameText`. What is written in one turn of the event loop leaves in one piece. Without
   * compression `ws` writes each of its frames at once and whole, so that both may write to the socket.
   */
  sendFrame(frame: Buffer): void {
    if (this.webSocket.readyState !== WebSocket.OPEN) return;
    if (!this.#corked) {
      this.#corked = true;
      this.socket.cork();
      setImmediate(() => {
        this.#corked = false;
        this.socket.uncork();
      });
    }
    this.socket.write(frame);
  }

  /** Resolves once the client has taken what was written, or is gone; at once below the socket's high-water mark. */
  async drained(): Promise<void> {
    if (!this.socket.writableNeedDrain || this.closed.aborted) return;
    await once(this.socket, 'drain', { signal: this.closed }).catch(() => undefined);
  }

  /** Calls `act` when the other end has ended its half of the socket, but not the WebSocket. */
  onHalfClosed(act: () => void): void {
    this.socket.prependListener('end', () => {
      if (this.webSocket.readyState === WebSocket.OPEN) act();
    });
  }

  /** `code` and `reason` as in RFC 6455, section 7.4. */
  close(code: number, reason: string): void {
    this.webSocket.close(code, reason);
  }

  /** At once, without a close frame. */
  terminate(): void {
    this.webSocket.terminate();
  }
}
