import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FairShares, Hold } from '@forecourt/resilience';
import type { ProcessorShares } from '../limits/processor-shares.js';
import { findExpense } from './check-structure.js';
import type { ConnectionPlaces } from './connection-places.js';

/**
 * Bounds what clients of an HTTP server make it hold: the number of connections, one request of each connection at a time,
 * and how long a response stays unread. `handle` receives the requests. To be called before the server listens.
 */
export function guardServer<S extends Server>(
  server: S,
  places: ConnectionPlaces,
  handle: RequestListener,
): S {
  const turns = new RequestTurns(places);
  const take = (next: RequestListener) => (request: IncomingMessage, response: ServerResponse) =>
    turns.take(request, response, () => next(request, response));
  server.on('connection', (socket: Socket) => {
    if (places.enter(socket)) turns.open(socket);
  });
  server.on('request', take(handle));
  server.on('checkExpectation', take(refuseExpectation));
  // By then all listeners for upgrades are attached; without any, Node ignores the header.
  server.once('listening', () => {
    if (server.listenerCount('upgrade') > 0) guardUpgrades(server, places, turns);
  });
  return server;
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: 'Unsupported Expect header' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(417, { ...headers, connection: 'close' }).end(body);
}

function guardUpgrades(server: Server, places: ConnectionPlaces, turns: RequestTurns): void {
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    // Responses would be written between the frames of the WebSocket.
    if (turns.isBusy(socket)) socket.destroy();
    else {
      places.noteBusy(socket);
      turns.leave(socket);
    }
  });
}

/** Requests that a client may send ahead on a connection; further ones are dropped, and the connection ends after these. */
const MOST_AHEAD = 16;
/**
 * Node parses all requests of the 64 KiB that it reads at once, up to 2500, and keeps those that are dropped until their
 * connection is closed. So many may be kept by the open connections together.
 */
const MOST_DROPPED = 4_096;

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
  /** Requests dropped; after the first one the connection ends. */
  dropped: number;
  /** Bytes received when the last request was answered before its body was complete; otherwise null. */
  unreadFrom: number | null;
  readonly waiting: Waiting[];
}

/**
 * Has one request of each connection in progress at a time. Those that were sent ahead wait until the client's system has
 * taken the response before them, and nothing more is read from the connection meanwhile.
 */
class RequestTurns {
  readonly #open = new Map<Socket, Turns>();
  #dropped = 0;

  constructor(private readonly places: ConnectionPlaces) {}

  open(socket: Socket): void {
    const turns: Turns = { current: null, dropped: 0, unreadFrom: null, waiting: [] };
    this.#open.set(socket, turns);
    const keepPaused = () => {
      if (isPaused(turns) || (this.isFull && this.#open.has(socket))) socket.pause();
    };
    keepPaused();
    // Node resumes the connection after each complete request.
    socket.on('resume', keepPaused).once('close', () => {
      this.leave(socket);
      const { isFull } = this;
      this.#dropped -= turns.dropped;
      if (isFull && !this.isFull) for (const other of this.#open.keys()) other.resume();
    });
  }

  /** The connection carries no more requests. */
  leave(socket: Socket): void {
    this.#open.delete(socket);
  }

  isBusy(socket: Socket): boolean {
    return (this.#open.get(socket)?.current ?? null) !== null;
  }

  /** Calls `handle` when it is the turn of this request of its connection. */
  take(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const { socket } = request;
    const turns = this.#open.get(socket);
    if (turns === undefined || socket.destroyed) return;
    if (turns.unreadFrom !== null && socket.bytesRead - turns.unreadFrom > MOST_UNREAD_BYTES) {
      return void socket.destroy();
    }
    const start = () => this.start(request, response, turns, handle);
    if (turns.current === null) return start();
    socket.pause();
    if (turns.dropped > 0 || turns.waiting.length === MOST_AHEAD) this.drop(socket, turns);
    else turns.waiting.push({ response, start });
  }

  private get isFull(): boolean {
    return this.#dropped > MOST_DROPPED;
  }

  /**
   * The connection ends after the requests that wait, or immediately when too many dropped ones are kept. A connection may
   * end after any response; the client repeats requests that were not answered.
   */
  private drop(socket: Socket, turns: Turns): void {
    if (turns.dropped === 0) turns.waiting.at(-1)!.response.setHeader('Connection', 'close');
    turns.dropped += 1;
    this.#dropped += 1;
    if (!this.isFull) return;
    socket.destroy();
    // Before it is closed, Node would read from all other connections that have sent something.
    for (const other of this.#open.keys()) other.pause();
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
    const noteBusy = () => {
      if (turns.current === request) this.places.noteBusy(socket);
    };
    // Until its body is complete, a request is no work that would be lost.
    if (hasBody(request)) request.once('end', noteBusy);
    else noteBusy();
    const watch = watchReading(request, response, turns);
    response.once('close', () => {
      clearInterval(watch);
      if (!request.complete) endUnreadBody(request, turns);
      this.next(socket, turns);
    });
    handle();
  }

  private next(socket: Socket, turns: Turns): void {
    turns.current = null;
    if (socket.destroyed) {
      turns.waiting.length = 0;
      return;
    }
    this.places.noteIdle(socket);
    turns.waiting.shift()?.start();
    if (!isPaused(turns)) socket.resume();
  }
}

function isPaused({ waiting, dropped }: Turns): boolean {
  return waiting.length > 0 || dropped > 0;
}

function endUnreadBody(request: IncomingMessage, turns: Turns): void {
  const { socket } = request;
  turns.unreadFrom = socket.bytesRead;
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, UNREAD_BODY_MS).unref();
}

/** A client that sends less than this of a body in so long, or takes less of a response, keeps its connection for nothing. */
const LEAST_BYTES = 4 * 1024;
const WITHIN_MS = 5_000;

/** Closes the connection when its client takes nothing of a response, or takes it more slowly than `LEAST_BYTES` say. */
function watchReading(
  request: IncomingMessage,
  response: ServerResponse,
  turns: Turns,
): NodeJS.Timeout {
  const { socket } = request;
  response.setTimeout(WITHIN_MS, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  // A single byte that the client takes postpones that timeout. How much it has taken of a chunk does not show: by the time
  // in which the least rate would have brought a chunk, the client must have all of it.
  let from = socket.bytesWritten;
  let due = 0;
  return setInterval(() => {
    if (socket.writableLength === 0) {
      [from, due] = [socket.bytesWritten, 0];
      if (!isPaused(turns)) socket.resume();
    } else if (due > socket.bytesWritten - from) socket.destroy();
    else {
      due += LEAST_BYTES;
      // Data that the client sends postpones the timeout too.
      if (request.complete) socket.pause();
    }
  }, WITHIN_MS).unref();
}

/** `too much`: beyond what the client may send now. `too slow`: the body arrives slowly, or not at all. */
export type BodyRefusal = 'too much' | 'too slow';

export interface ChargedBodies {
  /** Bytes of bodies, those of requests in progress included. */
  readonly shares: FairShares;
  /** Time in which bodies are parsed. */
  readonly processor: ProcessorShares;
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
    if (!hasBody(request)) return done();
    if (!bodies.processor.hasRoom(bodies.clientOf(request))) {
      return void bodies.refuse(reply.header('connection', 'close'), 'too much');
    }
    chargeBody(request, reply, bodies);
    done();
  });
}

/** A body is not parsed, because that would cost too much for its length. */
class CostlyBody extends Error {
  readonly statusCode = 400;
  readonly code = 'COSTLY_BODY';
  // Nest answers errors of this name with their status.
  override readonly name = 'FastifyError';
}

type ReadJson = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/** Reads bodies in JSON, unless that would be expensive, and takes the time from the client's share, also if they are refused. */
export function readJson(
  server: Pick<FastifyInstance, 'getDefaultJsonParser'>,
  { processor, clientOf }: Pick<ChargedBodies, 'processor' | 'clientOf'>,
): ReadJson {
  const parse = server.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    let outcome: [Error | null, unknown?] = [null];
    processor.measure(clientOf(request), () => {
      const text = body.toString();
      const expense = findExpense(text);
      if (expense !== null)
        outcome = [new CostlyBody(`${expense}; send only what the route needs`)];
      // A route that needs a body says so.
      else if (text !== '') void parse(request, text, (...read) => (outcome = read));
    });
    done(...outcome);
  };
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
    // Nothing more of this body is read.
    raw.pause();
    if (reply.sent) raw.destroy();
    else refuse(reply.header('connection', 'close'), reason);
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
