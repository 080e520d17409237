import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FairShares, Hold } from '@forecourt/resilience';
import type { ProcessorShares } from '../limits/processor-shares.js';
import { LEAST_BYTES, WITHIN_MS } from './watch-reading.js';

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
 * Charges the bodies of requests to their clients, byte by byte as they arrive, until the requests are
 * answered. What a request announces costs nothing. A body beyond its client's share, or one that hardly
 * arrives, is refused.
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
  const watch = () => {
    if (arrived - arrivedBefore < LEAST_BYTES) end('too slow');
    arrivedBefore = arrived;
  };
  // Most bodies have arrived with the head of their request.
  const timer = raw.complete ? undefined : setInterval(watch, WITHIN_MS);
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
