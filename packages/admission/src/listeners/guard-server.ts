import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FairShares, Hold } from '../limits/fair-shares.js';
import type { ConnectionPlaces } from './connection-places.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Bounds what clients of an HTTP server make it hold: the number of connections, one request of each connection at a time,
 * and how long a response stays unread. To be called before the server listens.
 */
export function guardServer(server: Server, places: ConnectionPlaces): void {
  const unread = new UnreadResponses();
  const turns = new RequestTurns(places, unread);
  server.on('connection', (socket: Socket) => {
    if (places.enter(socket)) readInSlices(socket, turns);
  });
  // By then all listeners for requests are attached.
  server.once('listening', () => {
    for (const event of ['request', 'checkExpectation']) takeTurns(server, event, turns);
    if (server.listenerCount('upgrade') > 0) guardUpgrades(server, places, turns);
    unread.watch();
  });
  server.once('close', () => unread.stop());
}

function takeTurns(server: Server, event: string, turns: RequestTurns): void {
  const listeners = server.rawListeners(event) as Listener[];
  if (listeners.length === 0) return;
  server.removeAllListeners(event);
  server.on(event, (request: IncomingMessage, response: ServerResponse) =>
    turns.take(request, response, () => {
      for (const listener of listeners) listener.call(server, request, response);
    }),
  );
}

function guardUpgrades(server: Server, places: ConnectionPlaces, turns: RequestTurns): void {
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    // Responses would be written between the frames of the WebSocket.
    if (turns.isBusy(socket)) socket.destroy();
    else places.noteBusy(socket);
  });
}

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
function readInSlices(socket: HttpSocket, turns: RequestTurns): void {
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

/** Requests that a client may send ahead on a connection; further ones are dropped, and the connection ends after these. */
const MOST_AHEAD = 16;

/** Time for which an unread body may go on after its request was answered. */
const UNREAD_BODY_MS = 1_000;
/** A connection on which more of such a body arrived is not used for another request. */
const MOST_UNREAD_BYTES = 256 * 1024;

interface Waiting {
  readonly response: ServerResponse;
  readonly start: () => void;
}

interface Turns {
  /** The request in progress. */
  current: IncomingMessage | null;
  isEnding: boolean;
  /** Bytes received when the last request was answered before its body was complete; otherwise null. */
  unreadFrom: number | null;
  readonly waiting: Waiting[];
}

/**
 * Has one request of each connection in progress at a time. Those that were sent ahead wait until the client's system has
 * taken the response before them, and nothing more is read from the connection meanwhile.
 */
class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turns>();

  constructor(
    private readonly places: ConnectionPlaces,
    private readonly unread: UnreadResponses,
  ) {}

  isBusy(socket: Socket): boolean {
    return (this.#turns.get(socket)?.current ?? null) !== null;
  }

  /** Whether requests wait for the one in progress. */
  hasAhead(socket: Socket): boolean {
    return (this.#turns.get(socket)?.waiting.length ?? 0) > 0;
  }

  /** Calls `handle` when it is the turn of this request of its connection. */
  take(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const { socket } = request;
    const turns = this.#turns.get(socket) ?? newTurns();
    this.#turns.set(socket, turns);
    if (turns.unreadFrom !== null && socket.bytesRead - turns.unreadFrom > MOST_UNREAD_BYTES) {
      return void socket.destroy();
    }
    if (turns.isEnding) return;
    const start = () => this.start(request, response, turns, handle);
    if (turns.current === null) return start();
    socket.pause();
    if (turns.waiting.length < MOST_AHEAD) turns.waiting.push({ response, start });
    else this.refuseAhead(socket);
  }

  /**
   * Ends the connection after the requests that wait. A connection may end after any response; the client repeats requests
   * that were not answered.
   */
  refuseAhead(socket: Socket): void {
    const turns = this.#turns.get(socket)!;
    turns.isEnding = true;
    turns.waiting.at(-1)!.response.shouldKeepAlive = false;
  }

  private start(
    request: IncomingMessage,
    response: ServerResponse,
    turns: Turns,
    handle: () => void,
  ): void {
    const { socket } = request;
    turns.current = request;
    turns.unreadFrom = null;
    this.unread.expect(socket);
    const noteBusy = () => {
      if (turns.current === request) this.places.noteBusy(socket);
    };
    // Until its body is complete, a request is no work that would be lost.
    if (hasBody(request)) request.once('end', noteBusy);
    else noteBusy();
    response.once('close', () => {
      if (!request.complete) endUnreadBody(request, turns);
      this.next(socket, turns);
    });
    handle();
  }

  private next(socket: Socket, turns: Turns): void {
    turns.current = null;
    this.unread.forget(socket);
    if (socket.destroyed) {
      turns.waiting.length = 0;
      return;
    }
    this.places.noteIdle(socket);
    const next = turns.waiting.shift();
    if (next) return next.start();
    if (!turns.isEnding) socket.resume();
  }
}

function newTurns(): Turns {
  return { current: null, isEnding: false, unreadFrom: null, waiting: [] };
}

function endUnreadBody(request: IncomingMessage, turns: Turns): void {
  const { socket } = request;
  turns.unreadFrom = socket.bytesRead;
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, UNREAD_BODY_MS).unref();
}

const LOOK_EVERY_MS = 1_000;
/** A client that sends less than this of a body in so long, or takes less of a response, keeps its connection for nothing. */
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
class UnreadResponses {
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

/** `too much`: beyond what the client may send now. `too slow`: the body arrives slowly, or not at all. */
export type BodyRefusal = 'too much' | 'too slow';

export interface ChargedBodies {
  /** Bytes of bodies, those of requests in progress included. */
  readonly shares: FairShares;
  /** Whom a body is charged to, from the widest group. */
  readonly clientOf: (request: FastifyRequest) => readonly string[];
  readonly refuse: (reply: FastifyReply, reason: BodyRefusal) => unknown;
}

/**
 * Charges the bodies of requests to their clients, byte by byte as they arrive, until the requests are answered. What a
 * request announces costs nothing. A body beyond its client's share, or one that hardly arrives, is refused.
 */
export function chargeBodies(server: FastifyInstance, bodies: ChargedBodies): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (hasBody(request)) chargeBody(request, reply, bodies);
    done();
  });
}

function chargeBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { shares, clientOf, refuse }: ChargedBodies,
): void {
  const client = clientOf(reply.request);
  let hold: Hold | null = null;
  let arrived = 0;
  let arrivedBefore = 0;
  const charge = (bytes: number): boolean => {
    arrived += bytes;
    if (hold) return hold.grow(bytes);
    hold = shares.take(client, bytes);
    return hold !== null;
  };
  const stop = () => {
    clearInterval(timer);
    raw.off('data', onData);
  };
  const end = (reason: BodyRefusal) => {
    stop();
    raw.removeAllListeners('data');
    // Nothing more of this body is read.
    reply.raw.shouldKeepAlive = false;
    if (reply.sent) raw.destroy();
    else refuse(reply, reason);
  };
  const onData = (chunk: Buffer | string) => {
    if (!charge(chunk.length)) end('too much');
  };
  const timer = setInterval(() => {
    if (arrived - arrivedBefore < LEAST_BYTES) end('too slow');
    arrivedBefore = arrived;
  }, WITHIN_MS);
  raw.on('data', onData);
  raw.once('end', stop);
  reply.raw.once('close', () => {
    stop();
    hold?.release();
  });
}

/** Whether a request announces a body. */
function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
