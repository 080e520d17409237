import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listenerLimits, TokenBuckets } from '@forecourt/resilience';
import { type ConnectionPlaces, groupOf } from './connection-places.js';
import { hasBody } from './charge-bodies.js';
import { watchReading } from './watch-reading.js';

/**
 * A slice of what has arrived: Node parses all requests in it at once, at 10 µs each, before any other client
 * has its turn. Longer heads come in several slices.
 */
const SLICE = 512;
/**
 * The same while a body of unknown length arrives, and while one of known length does: nothing else is in it.
 */
const CHUNKED_SLICE = 4 * 1024;
const BODY_SLICE = 64 * 1024;

/** Time for which an unread body may go on after its request was answered. */
const UNREAD_BODY_MS = 1_000;
/** A connection on which more of such a body arrived is not used for another request. */
const MOST_UNREAD_BYTES = 256 * 1024;

/** Seconds for which a group of clients is paced after the last request that one of them sent ahead. */
const PACED_SECS = 5;
const PER_SECOND = listenerLimits.pacedConnections.default;
/** The most that a connection waits, however many others its group has. */
const LONGEST_WAIT_SECS = 3;

interface Turns {
  /** The request in progress. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** The last request, whose body may still arrive, and the most bytes of it that are missing; 0: unknown. */
  incoming: IncomingMessage | null;
  missing: number;
  /** A request was sent ahead: nothing more is read, and the connection ends after the answer in progress. */
  isOver: boolean;
  /** Nothing is read yet, since its group is paced. */
  waits: boolean;
  /** Bytes received when the last request was answered before its body was complete; otherwise null. */
  unreadFrom: number | null;
  /** Hands what has arrived to Node's parser. */
  readonly read: () => void;
}

/**
 * Has one request of each connection in progress at a time. A connection on which another one arrives
 * meanwhile ends after the answer; the client repeats requests that were not answered. Connections of groups
 * of clients that send requests ahead end and come again, so they are read one after the other.
 */
export class RequestTurns {
  readonly #open = new Map<Socket, Turns>();
  /** Empty for groups that have sent requests ahead. */
  readonly #patience = new TokenBuckets({ capacity: 1, perSecond: 1, maxDebt: PACED_SECS });
  readonly #pace = new TokenBuckets({
    capacity: 1,
    perSecond: PER_SECOND,
    maxDebt: LONGEST_WAIT_SECS * PER_SECOND,
  });

  constructor(private readonly places: ConnectionPlaces) {}

  open(socket: Socket): void {
    const read = () => readSlices(socket, turns);
    const turns: Turns = {
      current: null,
      incoming: null,
      missing: 0,
      isOver: false,
      waits: false,
      unreadFrom: null,
      read,
    };
    this.#open.set(socket, turns);
    // With a listener for `readable`, data goes to Node's parser as it is read here, and not as it arrives.
    socket.on('readable', read).on('resume', read);
    socket.once('close', () => this.leave(socket));
    const group = groupOf(socket);
    const waitSecs = this.#patience.isEmpty(group) ? this.#pace.charge(group, 1) : 0;
    if (waitSecs === 0) return;
    turns.waits = true;
    const begin = () => {
      turns.waits = false;
      read();
    };
    setTimeout(begin, 1_000 * waitSecs).unref();
  }

  /** The connection carries no more requests. */
  leave(socket: Socket): void {
    const turns = this.#open.get(socket);
    if (turns === undefined) return;
    this.#open.delete(socket);
    socket.off('readable', turns.read).off('resume', turns.read);
  }

  isBusy(socket: Socket): boolean {
    return (this.#open.get(socket)?.current ?? null) !== null;
  }

  /** Calls `handle` for a request if it is the turn of this request of its connection. */
  inTurn(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const turns = this.#open.get(socket);
      if (turns === undefined || socket.destroyed) return;
      if (turns.unreadFrom !== null && socket.bytesRead - turns.unreadFrom > MOST_UNREAD_BYTES) {
        return void socket.destroy();
      }
      if (turns.current !== null || turns.isOver) return this.end(socket, turns);
      this.start(request, response, turns);
      handle(request, response);
    };
  }

  private end(socket: Socket, turns: Turns): void {
    turns.isOver = true;
    this.#patience.charge(groupOf(socket), 1 + PACED_SECS);
    const answer = turns.current?.response;
    if (answer?.headersSent === false) answer.setHeader('Connection', 'close');
  }

  private start(request: IncomingMessage, response: ServerResponse, turns: Turns): void {
    const { socket } = request;
    turns.current = { request, response };
    turns.incoming = request;
    turns.missing = Number(request.headers['content-length'] ?? 0);
    turns.unreadFrom = null;
    const noteBusy = () => {
      if (turns.current?.request === request) this.places.noteBusy(socket);
    };
    // Until its body is complete, a request is not work that would be lost.
    if (hasBody(request)) request.once('end', noteBusy);
    else noteBusy();
    const watch = watchReading(request, response);
    response.once('close', () => {
      clearInterval(watch);
      turns.current = null;
      if (turns.isOver) socket.destroySoon();
      if (!request.complete) endUnreadBody(request, turns);
      if (socket.destroyed) return;
      this.places.noteIdle(socket);
      turns.read();
    });
  }
}

function readSlices(socket: Socket, turns: Turns): void {
  while (!turns.isOver && !turns.waits && !socket.destroyed) {
    const { incoming } = turns;
    const isBody = incoming !== null && !incoming.complete;
    // Until the handler reads on.
    if (isBody && incoming.readableLength >= incoming.readableHighWaterMark) return;
    const size = isBody ? bodySlice(turns) : SLICE;
    const part = socket.read(Math.min(size, socket.readableLength)) as Buffer | null;
    if (part === null) return;
    turns.missing -= part.length;
  }
}

function bodySlice({ incoming, missing }: Turns): number {
  if (incoming?.headers['transfer-encoding'] !== undefined) return CHUNKED_SLICE;
  return missing > 0 ? Math.min(missing, BODY_SLICE) : SLICE;
}

function endUnreadBody(request: IncomingMessage, turns: Turns): void {
  const { socket } = request;
  turns.unreadFrom = socket.bytesRead;
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, UNREAD_BODY_MS).unref();
}
