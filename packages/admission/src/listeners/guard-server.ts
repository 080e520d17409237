import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FairShares, findExpense, type Hold } from '@forecourt/resilience';
import type { ProcessorShares } from '../limits/processor-shares.js';
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

/**
 * A slice of what has arrived: Node parses all requests in it at once, at 10 µs each, before any other client has its turn.
 * Longer heads come in several slices.
 */
const SLICE = 512;
/** The same while a body of unknown length arrives, and while one of known length does: nothing else is in it. */
const CHUNKED_SLICE = 4 * 1024;
const BODY_SLICE = 64 * 1024;

/** Time for which an unread body may go on after its request was answered. */
const UNREAD_BODY_MS = 1_000;
/** A connection on which more of such a body arrived is not used for another request. */
const MOST_UNREAD_BYTES = 256 * 1024;

interface Turns {
  /** The request in progress. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** The last request, whose body may still arrive, and the most bytes of it that are missing; 0: unknown. */
  incoming: IncomingMessage | null;
  missing: number;
  /** A request was sent ahead: nothing more is read, and the connection ends after the answer in progress. */
  isOver: boolean;
  /** Bytes received when the last request was answered before its body was complete; otherwise null. */
  unreadFrom: number | null;
  /** Hands what has arrived to Node's parser. */
  readonly read: () => void;
}

/**
 * Has one request of each connection in progress at a time. A connection on which another one arrives meanwhile ends after
 * the answer; the client repeats requests that were not answered.
 */
class RequestTurns {
  readonly #open = new Map<Socket, Turns>();

  constructor(private readonly places: ConnectionPlaces) {}

  open(socket: Socket): void {
    const read = () => readSlices(socket, turns);
    const turns: Turns = {
      current: null,
      incoming: null,
      missing: 0,
      isOver: false,
      unreadFrom: null,
      read,
    };
    this.#open.set(socket, turns);
    // With a listener for `readable`, data goes to Node's parser as it is read here, and not as it arrives.
    socket.on('readable', read).on('resume', read);
    socket.once('close', () => this.leave(socket));
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

  /** Calls `handle` if it is the turn of this request of its connection. */
  take(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const { socket } = request;
    const turns = this.#open.get(socket);
    if (turns === undefined || socket.destroyed) return;
    if (turns.unreadFrom !== null && socket.bytesRead - turns.unreadFrom > MOST_UNREAD_BYTES) {
      return void socket.destroy();
    }
    if (turns.current === null && !turns.isOver) this.start(request, response, turns, handle);
    else this.end(turns);
  }

  private end(turns: Turns): void {
    turns.isOver = true;
    const answer = turns.current?.response;
    if (answer?.headersSent === false) answer.setHeader('Connection', 'close');
  }

  private start(
    request: IncomingMessage,
    response: ServerResponse,
    turns: Turns,
    handle: () => void,
  ): void {
    const { socket } = request;
    turns.current = { request, response };
    turns.incoming = request;
    turns.missing = Number(request.headers['content-length'] ?? 0);
    turns.unreadFrom = null;
    const noteBusy = () => {
      if (turns.current?.request === request) this.places.noteBusy(socket);
    };
    // Until its body is complete, a request is no work that would be lost.
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
    handle();
  }
}

function readSlices(socket: Socket, turns: Turns): void {
  while (!turns.isOver && !socket.destroyed) {
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

/** A client that sends less than this of a body in so long, or takes less of a response, keeps its connection for nothing. */
const LEAST_BYTES = 4 * 1024;
const WITHIN_MS = 5_000;

/** Closes the connection when its client takes nothing of a response, or takes it more slowly than `LEAST_BYTES` say. */
function watchReading(request: IncomingMessage, response: ServerResponse): NodeJS.Timeout {
  const { socket } = request;
  response.setTimeout(WITHIN_MS, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  // A single byte that the client takes, or sends, postpones that timeout. How much it has taken of a chunk does not show: by
  // the time in which the least rate would have brought a chunk, the client must have all of it.
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

/** Reads bodies in JSON, unless that would be expensive; the time counts in the client's share, also if they are refused. */
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
