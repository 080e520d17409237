import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './charge-bodies.js';
import type { ConnectionPlaces } from './connection-places.js';
import type { UnreadResponses } from './unread-responses.js';

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
export class RequestTurns {
  readonly #turns = new WeakMap<Socket, Turns>();

  constructor(
    private readonly places: Pick<ConnectionPlaces, 'noteBusy' | 'noteIdle'>,
    private readonly unread: Pick<UnreadResponses, 'expect' | 'forget'>,
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
