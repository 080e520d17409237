import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { findExpense } from '@forecourt/admission';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FaultBoard } from '../faults/fault-board.js';
import { type RecentCalls, takeRateLimit } from '../faults/recent-calls.js';
import type { RequestCounters } from '../faults/request-counters.js';
import type { NodeProfiles } from '../node/node-profiles.js';

export interface FrontDependencies {
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
  readonly recentCalls: RecentCalls;
  readonly profiles: NodeProfiles;
}

/** The name by which faults refer to the start of a WebSocket. */
const UPGRADE = 'upgrade';
/** A node's answer to a batch: it has switched batches off. */
const NO_BATCHES = { code: -32005, message: 'Batched requests are not supported by this server' };

interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The checks and responses before the node's own: required headers, rate limits, responses of balancers, and
 * the refusal of batches. Must be called before the route is registered.
 */
export function standInFront(server: FastifyInstance, dependencies: FrontDependencies): void {
  const { profiles, counters } = dependencies;
  const isCall = ({ method, url }: { method: string; url: string }) =>
    method === 'POST' && url.split('?', 1)[0] === '/';

  server.addHook('onRequest', async (request, reply) => {
    if (!isCall(request)) return;
    const refusal = refuseHeaders(request.headers, profiles.current.requiredHeaders);
    if (refusal !== null) return send(reply, refusal);
  });
  server.addHook('preHandler', async (request, reply) => {
    if (!isCall(request)) return;
    const body = typeof request.body === 'string' ? request.body : '';
    if (/^\s*\[/.test(body)) return reply.send({ jsonrpc: '2.0', id: null, error: NO_BATCHES });
    if (dependencies.faults.isEmpty) return;
    const method = peekMethod(body);
    const answer = answerInstead(dependencies, method);
    if (answer === null) return;
    counters.countRequest(method);
    return send(reply, answer);
  });
  guardUpgrades(server.server, dependencies);
}

/** Runs before the listener that accepts WebSockets, which ignores a destroyed socket. */
function guardUpgrades(server: Server, dependencies: FrontDependencies): void {
  server.prependListener('upgrade', (request: IncomingMessage, socket: Socket) => {
    const { requiredHeaders } = dependencies.profiles.current;
    const answer =
      refuseHeaders(request.headers, requiredHeaders) ?? answerInstead(dependencies, UPGRADE);
    if (answer === null) return;
    const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = `content-length: ${Buffer.byteLength(answer.body)}\r\n`;
    socket.end(
      `HTTP/1.1 ${answer.status} Refused\r\nconnection: close\r\n${headers.join('')}${length}\r\n${answer.body}`,
    );
    socket.destroySoon();
  });
}

/** 401 where a header is missing, 403 where it has another value; null when all are right. */
export function refuseHeaders(
  headers: IncomingMessage['headers'],
  required: Readonly<Record<string, string>>,
): HttpReply | null {
  for (const [name, value] of Object.entries(required)) {
    const header = headers[name];
    if (header === value) continue;
    const status = header === undefined ? 401 : 403;
    const body = status === 401 ? 'Unauthorized' : 'Forbidden';
    return { status, headers: { 'content-type': 'text/plain' }, body };
  }
  return null;
}

/** The answer of a proxy to a call; null where the node itself answers. */
export function answerInstead(
  { faults, recentCalls }: Pick<FrontDependencies, 'faults' | 'recentCalls'>,
  method: string,
): HttpReply | null {
  const limit = takeRateLimit(faults, recentCalls, method, 'status');
  if (limit !== null) {
    const headers = { 'content-type': 'text/plain', 'retry-after': String(limit.retryAfterSecs) };
    return { status: 429, headers, body: 'Too Many Requests' };
  }
  const fault = faults.take('httpReply', method);
  if (fault === null) return null;
  const { status, contentType, body } = fault;
  return { status, headers: { 'content-type': contentType }, body };
}

function send(reply: FastifyReply, { status, headers, body }: HttpReply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** The method of a call; empty for other messages. */
function peekMethod(body: string): string {
  if (findExpense(body) !== null) return '';
  try {
    const { method } = (JSON.parse(body) ?? {}) as { method?: unknown };
    return typeof method === 'string' ? method : '';
  } catch {
    return '';
  }
}
