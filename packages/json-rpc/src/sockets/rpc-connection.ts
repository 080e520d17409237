import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { CallOrigin } from '../call-origin.js';
import { CallSlots } from '../limits/call-slots.js';
import { HeldBytes } from '../limits/held-bytes.js';
import type { MemoryBudget, MemoryConsumer } from '../limits/memory-budget.js';

/** Of a WebSocket that ended since the server lacks the memory for it (RFC 6455, section 7.4.1; IANA's registry). */
const TRY_AGAIN_LATER = 1013;
/** How long a connection that is shed has to take its last messages. */
const SHED_GRACE_MS = 500;

export interface RpcConnectionOptions {
  readonly id: number;
  readonly client: string;
  readonly maxPendingCalls: number;
  readonly memory?: MemoryBudget;
  /** Called before the connection is ended since it holds too much memory. */
  readonly onShed?: (connection: RpcConnection) => void;
}

/** One client's WebSocket, seen from the server. */
export class RpcConnection implements CallOrigin, MemoryConsumer {
  readonly #closed = new AbortController();
  readonly #left = new AbortController();
  #corked = false;
  /** What had been read when the last message was complete. */
  #readBefore = 0;

  readonly id: number;
  readonly client: string;
  readonly held: HeldBytes;
  readonly answers: HeldBytes;
  readonly slots: CallSlots;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly options: RpcConnectionOptions,
  ) {
    const { memory } = options;
    this.id = options.id;
    this.client = options.client;
    this.held = new HeldBytes((bytes) => memory?.note(bytes));
    this.answers = new HeldBytes((bytes) => memory?.note(bytes));
    this.slots = new CallSlots(options.maxPendingCalls);
    memory?.add(this);
    webSocket.once('close', () => {
      memory?.remove(this);
      this.#closed.abort();
      this.#left.abort();
    });
    webSocket.on('message', () => (this.#readBefore = socket.bytesRead));
  }

  /** Aborted once the connection is gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Aborted once nothing that is worked on for it can be answered: it is gone, or about to be ended. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** Bytes that the client has not taken yet. */
  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  /** What waits to be taken, what has arrived of a message that is not complete, and what is held besides. */
  get heldBytes(): number {
    const unfinished = this.socket.bytesRead - this.#readBefore;
    return this.bufferedBytes + unfinished + this.held.bytes + this.answers.bytes;
  }

  send(text: string): void {
    if (this.webSocket.readyState !== WebSocket.OPEN) return;
    this.options.memory?.note(text.length);
    this.webSocket.send(text);
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
    this.options.memory?.note(frame.length);
    this.socket.write(frame);
  }

  /** Resolves once the client has taken what was written, or is gone; at once below the socket's high-water mark. */
  async drained(): Promise<void> {
    if (this.closed.aborted) return;
    // One that is broken or ending drains no more, whatever is left in it: only its end can be waited for.
    if (!this.socket.writable) await once(this.closed, 'abort');
    else if (this.socket.writableNeedDrain) {
      await once(this.socket, 'drain', { signal: this.closed }).catch(() => undefined);
    }
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

  /** Ends the connection to free what is held for it: its client is told, and cut off if it does not listen. */
  shed(): void {
    this.#left.abort();
    this.options.onShed?.(this);
    this.close(TRY_AGAIN_LATER, 'the server holds too much for this connection; try again later');
    setTimeout(() => this.terminate(), SHED_GRACE_MS).unref();
  }
}
