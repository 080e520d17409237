import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FairShares, Hold } from '../limits/fair-shares.js';

/** A client has to send at least this much in each period. */
const LEAST_BYTES = 4 * 1024;
const PERIOD_MS = 5_000;

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
  }, PERIOD_MS);
  raw.on('data', onData);
  raw.once('end', stop);
  reply.raw.once('close', () => {
    stop();
    hold?.release();
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
