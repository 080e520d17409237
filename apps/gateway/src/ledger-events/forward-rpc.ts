import { Agent, type IncomingMessage, request } from 'node:http';
import type { Endpoint } from '@forecourt/config';
import { DEFAULT_RETRY_AFTER_SECS, errorTable } from '@forecourt/contracts';
import { JsonRpcCode } from '@forecourt/json-rpc';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Caller } from '../authorization/caller.js';
import type { EventsReplicas } from './events-replicas.js';

export const RPC_PATH = '/rpc';

export interface ForwardRpcOptions {
  readonly replicas: EventsReplicas;
  readonly timeoutMs: number;
  /** Null for nobody: then 401 is answered. Absent: everybody is let in. */
  readonly callerOf?: (authorization: string | undefined) => Caller | null;
}

const PASSED_ON = ['content-type', 'access-control-allow-origin'];

/** Passes `POST /rpc` on to the events service; another replica is asked when one cannot be reached. */
export function forwardRpc(server: FastifyInstance, options: ForwardRpcOptions): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const { replicas, timeoutMs, callerOf } = options;
  // In a scope of its own: here a body is bytes, and JSON is the events service's to read.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.options(RPC_PATH, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'POST, OPTIONS',
          'access-control-allow-headers': '*',
        })
        .code(204)
        .send(),
    );
    scope.post(RPC_PATH, {
      onRequest: async ({ headers }, reply) => {
        if (!callerOf || callerOf(headers.authorization) !== null) return;
        return reply.code(401).send({ error: errorTable.INVALID_AUTHORIZATION_TOKEN.message });
      },
      handler: async (incoming, reply) => {
        const body = (incoming.body as Buffer | undefined) ?? Buffer.alloc(0);
        for (const replica of replicas.inTurn()) {
          const answer = await post(agent, replica, body, timeoutMs).catch(() => null);
          if (answer) return passOn(answer, reply);
        }
        return unreachable(reply);
      },
      errorHandler: (error, _request, reply) => {
        const { statusCode = 500, message } = error as { statusCode?: number; message: string };
        const tooBig = statusCode === 413;
        void reply
          .code(tooBig ? 413 : 500)
          .send(failure(tooBig ? JsonRpcCode.requestTooBig : JsonRpcCode.internal, message));
      },
    });
    scope.addHook('onClose', async () => agent.destroy());
  });
}

function post(
  agent: Agent,
  { host, port }: Endpoint,
  body: Buffer,
  timeout: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const options = { agent, host, port, path: RPC_PATH, method: 'POST', headers, timeout };
    const outgoing = request(options, resolve);
    outgoing.on('timeout', () => outgoing.destroy(new Error('the events service is too slow')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function passOn(answer: IncomingMessage, reply: FastifyReply): FastifyReply {
  for (const name of PASSED_ON) {
    const value = answer.headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  return reply.code(answer.statusCode ?? 502).send(answer);
}

function unreachable(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', DEFAULT_RETRY_AFTER_SECS)
    .send(failure(JsonRpcCode.callFailed, 'The events service cannot be reached now'));
}

function failure(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
