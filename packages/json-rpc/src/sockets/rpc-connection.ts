import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { MemoryBudget, MemoryConsumer } from '@forecourt/admission';
import { FairBulkhead } from '@forecourt/resilience';
import { CLIENT_LEFT, type CallOrigin } from '../call-origin.js';
import { ByteCounter } from '../byte-counter.js';

/** Close code of a WebSocket that the server has no memory for (IANA's registry of close codes). */
const TRY_AGAIN_LATER = 1013;
/** How long a connection that is shed has to read its last messages. */
const SHED_GRACE_MS = 500;

export interface RpcConnectionOptions {
  readonly id: number;
  readonly client: string;
  readonly maxPendingCalls: number;
  /** The client that the event loop's time counts against; absent: the connection itself. */
  readonly turnTaker?: unknown;
  readonly memory?: MemoryBudget;
  /** Called before the connection is closed because it uses too much memory. */
  readonly onShed?: (connection: RpcConnection) => void;
}

/** The server's end of a client's WebSocket. */
export class RpcConnection implements CallOrigin, MemoryConsumer {
  readonly #closed = new AbortController();
  readonly #ending = new AbortController();
  #corked = false;
  /** Bytes read when the last message was complete. */
  #readBefore = 0;

  readonly id: number;
  readonly client: string;
  readonly memory: ByteCounter;
  readonly responses: ByteCounter;
  readonly slots: FairBulkhead;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly options: RpcConnectionOptions,
  ) {
    const { memory: budget } = options;
    this.id = options.id;
    this.client = options.client;
    this.memory = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.responses = new ByteCounter((bytes) => budget?.noteAdded(bytes));
    this.slots = new FairBulkhead(options.maxPendingCalls, { waiting: Infinity });
    budget?.add(this);
    webSocket.once('close', () => {
      budget?.remove(this);
      this.#closed.abort(CLIENT_LEFT);
      this.#ending.abort(CLIENT_LEFT);
    });
    webSocket.on('message', () => (this.#readBefore = socket.bytesRead));
  }

  get turnTaker(): unknown {
    return this.options.turnTaker ?? this;
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Aborts when responses can no longer be sent: the connection is closed or about to be. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Bytes that the client has not read yet. */
  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  /**
   * Unread output, the received part of an incomplete message, and the memory counted for calls and
   * responses.
   */
  get usedBytes(): number {
    const unfinished = this.socket.bytesRead - this.#readBefore;
    return this.bufferedBytes + unfinished + this.memory.bytes + this.responses.bytes;
  }

  /**
   * Sends a text message; a buffer is one in UTF-8. Messages of one turn of the event loop are sent together.
   */
  send(text: string | Buffer): void {
    if (this.webSocket.readyState !== WebSocket.OPEN) return;
    this.cork();
    this.options.memory?.noteAdded(text.length);
    this.webSocket.send(text, { binary: false });
  }

  /**
   * Writes a frame made by `frameText`, as `send` does. Without compression `ws` writes each of its frames
   * whole and immediately, so both may write to the socket.
   */
  sendFrame(frame: Buffer): void {
    if (this.webSocket.readyState !== WebSocket.OPEN) return;
    this.cork();
    this.options.memory?.noteAdded(frame.length);
    this.socket.write(frame);
  }

  private cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.socket.cork();
    setImmediate(() => {
      this.#corked = false;
      this.socket.uncork();
    });
  }

  /**
   * Resolves when the client has read its messages or has disconnected; immediately below the high-water
   * mark.
   */
  async drained(): Promise<void> {
    if (this.closed.aborted) return;
    // A socket that is broken or ending never drains: wait for its end.
    if (!this.socket.writable) await once(this.closed, 'abort');
    else if (this.socket.writableNeedDrain) {
      await once(this.socket, 'drain', { signal: this.closed }).catch(() => undefined);
    }
  }

  /** Calls `listener` when the peer has ended its half of the socket, but not the WebSocket. */
  onHalfClosed(listener: () => void): void {
    this.socket.prependListener('end', () => {
      if (this.webSocket.readyState === WebSocket.OPEN) listener();
    });
  }

  /** `code` and `reason` as in RFC 6455, section 7.4. */
  close(code: number, reason: string): void {
    this.webSocket.close(code, reason);
  }

  /** Closes immediately, without a close frame. */
  terminate(): void {
    this.webSocket.terminate();
  }

  /**
   * Closes the connection to free its memory: sends the client the reason, and disconnects it if it does not
   * read that.
   */
  shed(): void {
    this.#ending.abort(CLIENT_LEFT);
    this.options.onShed?.(this);
    this.close(TRY_AGAIN_LATER, 'memory limit exceeded; try again later');
    setTimeout(() => this.terminate(), SHED_GRACE_MS).unref();
  }
}

/**
 * Encodes an unmasked WebSocket text frame (RFC 6455, section 5.2), as a server sends it. One frame can be
 * written to any number of sockets.
 */
export function frameText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = 0x81;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}
