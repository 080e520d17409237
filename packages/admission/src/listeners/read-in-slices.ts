import type { Socket } from 'node:net';
import type { RequestTurns } from './request-turns.js';

/**
 * Node parses all requests of a chunk before a listener can stop it: about 1500 small ones in the 64 KiB that it reads at
 * once. A slice ends after so many.
 */
const REQUESTS_PER_SLICE = 4;
const END_OF_HEADERS = '\r\n\r\n';
/** A body may consist of empty lines, each of which looks like the end of a request. */
const LEAST_BYTES_PER_SLICE = 256;
/** A client may send this much ahead of the request that it waits for. */
const MOST_BYTES_AHEAD = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** Node keeps the parser of an HTTP connection here until the connection closes or is upgraded. */
interface HttpSocket extends Socket {
  readonly parser?: unknown;
}

/**
 * Gives the parser of an HTTP connection a slice at a time, and none while the connection is paused. Drops the rest, and
 * ends the connection, when the client has sent too much ahead of its request in progress.
 */
export function readInSlices(
  socket: HttpSocket,
  turns: Pick<RequestTurns, 'hasAhead' | 'refuseAhead'>,
): void {
  const parse = socket.listeners('data')[0] as (chunk: Buffer) => void;
  let held: Buffer = NOTHING;
  // Adding a listener makes Node hand over what it reads instead of parsing it natively.
  socket.on('data', take).on('resume', parseHeld);
  socket.removeListener('data', parse);

  function take(chunk: Buffer): void {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    parseHeld();
  }

  function parseHeld(): void {
    while (held.length > 0 && !socket.destroyed) {
      if (socket.isPaused() || turns.hasAhead(socket)) return hold();
      const end = endOfSlice(held);
      const slice = held.subarray(0, end);
      held = held.subarray(end);
      parse(slice);
      if (!socket.parser) return endHttp();
    }
  }

  function hold(): void {
    // Node resumes the connection after each complete request.
    socket.pause();
    if (held.length <= MOST_BYTES_AHEAD || !turns.hasAhead(socket)) return;
    turns.refuseAhead(socket);
    held = NOTHING;
  }

  /** The connection is a WebSocket now; its client must not send before the handshake is answered. */
  function endHttp(): void {
    socket.removeListener('data', take).removeListener('resume', parseHeld);
    if (held.length > 0) socket.destroy();
  }
}

function endOfSlice(rest: Buffer): number {
  let end = 0;
  for (let requests = 0; requests < REQUESTS_PER_SLICE; requests += 1) {
    const next = rest.indexOf(END_OF_HEADERS, end);
    if (next === -1) return rest.length;
    end = next + END_OF_HEADERS.length;
  }
  return Math.max(end, LEAST_BYTES_PER_SLICE);
}
