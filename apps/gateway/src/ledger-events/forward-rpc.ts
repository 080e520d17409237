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
  /** The largest body, for those whose body is larger. */
  readonly bodyLimitBytes: number;
  /** Null for nobody: then 401 is answered. Absent: everybody is let in. */
  readonly callerOf?: (authorization: string | undefined) => Caller | null;
}

const PASSED_ON = ['content-type', 'access-control-allow-origin'];

/** Passes `POST /rpc` on to the events service; another replica is asked when one cannot be reached. */
export function forwardRpc(server: FastifyInstance, options: ForwardRpcOptions): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const { replicas, timeoutMs, bodyLimitBytes, callerOf } = options;
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
        const { statusCode = 500 } = error as { statusCode?: number };
        void reply.code(statusCode).send(refusalOf(statusCode, bodyLimitBytes));
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
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // An idle connection may be closed in the moment in which it is used again; every call can be repeated.
      const wasIdle = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (wasIdle) resolve(post(agent, { host, port }, body, timeout));
      else reject(error);
    });
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

/** Why a body was not even passed on. */
function refusalOf(status: number, bodyLimitBytes: number) {
  if (status === 413) {
    const message = `Request is too big, the limit is ${bodyLimitBytes} bytes`;
    return failure(JsonRpcCode.requestTooBig, message);
  }
  return status < 500
    ? failure(JsonRpcCode.invalidRequest, 'Invalid request: the body cannot be read')
    : failure(JsonRpcCode.internal, 'Internal error');
}

function failure(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
