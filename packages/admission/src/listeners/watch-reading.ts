import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenerLimits } from '@forecourt/resilience';

/**
 * A client that sends less than this of a body in so long, or takes less of a response, keeps its connection
 * for nothing.
 */
export const LEAST_BYTES = listenerLimits.bodyRate.default;

export const WITHIN_MS = 5_000;

/**
 * Closes the connection when its client takes nothing of a response, or takes it more slowly than
 * `LEAST_BYTES` say.
 */
export function watchReading(request: IncomingMessage, response: ServerResponse): NodeJS.Timeout {
  const { socket } = request;
  response.setTimeout(WITHIN_MS, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  // A single byte that the client takes, or sends, postpones that timeout. How much it has taken of a chunk
  // does not show: by the time in which the least rate would have brought a chunk, the client must have all
  // of it.
  let from = socket.bytesWritten;
  let due = 0;
  let received: number | null = null;
  return setInterval(() => {
    if (socket.writableLength === 0) {
      [from, due, received] = [socket.bytesWritten, 0, null];
      return;
    }
    const sendsOn = received !== null && socket.bytesRead > received;
    if (sendsOn || due > socket.bytesWritten - from) return void socket.destroy();
    due += LEAST_BYTES;
    received = request.complete ? socket.bytesRead : null;
  }, WITHIN_MS).unref();
}
