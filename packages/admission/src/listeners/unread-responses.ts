import type { Socket } from 'node:net';

const LOOK_EVERY_MS = 1_000;
/** A client that takes less than this in so long does not read. */
const LEAST_BYTES = 4 * 1024;
const WITHIN_MS = 5_000;

/** Node's timeouts read the same counters: `writableLength` does not fall before a chunk is sent completely. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

interface Progress {
  taken: number;
  /** Null while nothing waits for the client. */
  since: number | null;
}

/** Closes connections whose client does not read the response. */
export class UnreadResponses {
  readonly #expected = new Map<Socket, Progress>();
  #timer: NodeJS.Timeout | undefined;

  watch(): void {
    this.#timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A response will be written to the connection. */
  expect(socket: Socket): void {
    this.#expected.set(socket, { taken: 0, since: null });
  }

  /** The response is sent, or the connection closed. */
  forget(socket: Socket): void {
    this.#expected.delete(socket);
  }

  private look(now: number): void {
    for (const [socket, progress] of this.#expected) {
      const { _handle: handle } = socket as unknown as { readonly _handle: Handle | null };
      if (socket.writableLength === 0 || handle === null) {
        progress.since = null;
        continue;
      }
      const taken = handle.bytesWritten - handle.writeQueueSize;
      if (progress.since === null || taken - progress.taken >= LEAST_BYTES) {
        progress.since = now;
        progress.taken = taken;
      } else if (now - progress.since >= WITHIN_MS) socket.destroy();
    }
  }
}
