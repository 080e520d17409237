import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';
import type { Endpoint } from '@forecourt/runtime/config';
import {
  bodyRefusal,
  DEFAULT_RETRY_AFTER_SECS,
  errorTable,
  JsonRpcCode,
  rpcFailure,
} from '@forecourt/contracts';
import { PUBLIC_ROUTE } from '@forecourt/runtime/service';
import { CLIENT_HEADER } from '@forecourt/admission';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tokens } from '@forecourt/policy/tokens';
import type { RouteDeclaration } from '../access/route-declaration.js';
import type { RpcAdmission } from './rpc-admission.js';
import { clientSignal } from '../http/client-signal.js';
import type { RoundRobin } from '../replicas/round-robin.js';

export const RPC_PATH = '/rpc';
export const EVENTS_UNREACHABLE = 'Events service unreachable';

export interface ForwardRpcOptions {
  readonly replicas: RoundRobin<Endpoint>;
  readonly timeoutMs: number;
  readonly admission: RpcAdmission;
  /** Of the largest body. */
  readonly bodyLimitBytes: number;
  /** Decides which tokens may call; absent: no token is needed. */
  readonly access?: { readonly tokens: Tokens };
}

/** Clients are bounded by address before their token is checked. */
const OWN_CHECK: RouteDeclaration = {
  access: 'checked by the route',
  errorCodes: ['INVALID_AUTHORIZATION_TOKEN'],
};

const RETRY_AFTER_SECS = 1;
const PASSED_ON = ['content-type', 'retry-after'];

/** Pages of any origin may call, as on a public node, and read why they are refused. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id, *',
};
/** The wildcard does not include `authorization` (Fetch standard, "CORS-preflight fetch"). */
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, *',
};

/** Forwards `POST /rpc` to the events service; another replica is asked when one cannot be reached. */
export function forwardRpc(server: FastifyInstance, options: ForwardRpcOptions): void {
  const { replicas, timeoutMs, bodyLimitBytes, access, admission } = options;
  // As many sockets as admitted requests: none waits for a socket that a slow client occupies.
  const agent = new Agent({ keepAlive: true, maxSockets: admission.requestsInAll });
  const clients = new WeakMap<FastifyRequest, string>();
  // In its own scope, where a body is bytes: the events service reads the JSON.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.options(RPC_PATH, { config: PUBLIC_ROUTE }, (_request, reply) =>
      reply.headers(PREFLIGHT).code(204).send(),
    );
    scope.post(RPC_PATH, {
      config: OWN_CHECK,
      bodyLimit: bodyLimitBytes,
      onRequest: async (request, reply) => {
        void reply.headers(CORS);
        const admitted = admission.admit(request.raw);
        if ('retryAfterSecs' in admitted) return tooMany(reply, admitted.retryAfterSecs);
        clients.set(request, admitted.client);
        const { authorization } = request.headers;
        const identified = await access?.tokens.identify(authorization);
        if (!identified || 'caller' in identified) return;
        void reply.header('www-authenticate', identified.challenge);
        return reply.code(401).send({ error: errorTable.INVALID_AUTHORIZATION_TOKEN.message });
      },
      preValidation: async (request, reply) => {
        const place = admission.takeRequest(clients.get(request) ?? '');
        if (place === null) return tooMany(reply, RETRY_AFTER_SECS);
        reply.raw.once('close', () => place.release());
      },
      handler: async (incoming, reply) => {
        const left = clientSignal(reply);
        const body = (incoming.body as Buffer | undefined) ?? Buffer.alloc(0);
        const client = clients.get(incoming) ?? '';
        admission.charge(client, 'body', body.length);
        const headers = {
          'content-type': 'application/json',
          'content-length': body.length,
          [CLIENT_HEADER]: client,
        };
        const call = { agent, headers, timeout: timeoutMs, signal: left };
        for (const replica of replicas.inTurn()) {
          const answer = await post(replica, body, call).catch(() => null);
          if (answer) {
            admission.charge(client, 'response', Number(answer.headers['content-length'] ?? 0));
            return passOn(answer, reply);
          }
          if (left.aborted) return reply.hijack();
        }
        return unreachable(reply);
      },
      errorHandler: (error, _request, reply) => {
        const { statusCode = 500 } = error as { statusCode?: number };
        void reply.code(statusCode).send(bodyRefusal(statusCode, bodyLimitBytes));
      },
    });
    scope.addHook('onClose', async () => agent.destroy());
  });
}

/**
 * Calls a replica. The options have the client's signal, which aborts the call when the client disconnects.
 */
function post(
  { host, port }: Endpoint,
  body: Buffer,
  options: Pick<RequestOptions, 'agent' | 'headers' | 'signal' | 'timeout'>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, host, port, path: RPC_PATH, method: 'POST' }, resolve);
    outgoing.on('timeout', () => outgoing.destroy(new Error('the events service is too slow')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // An idle connection may be closed just as it is used again; every call can be repeated.
      const wasIdle = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (wasIdle) resolve(post({ host, port }, body, options));
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

function tooMany(reply: FastifyReply, retryAfterSecs: number): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', retryAfterSecs)
    .send(rpcFailure(JsonRpcCode.tooManyRequests, errorTable.TOO_MANY_REQUESTS.message));
}

function unreachable(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', DEFAULT_RETRY_AFTER_SECS)
    .send(rpcFailure(JsonRpcCode.callFailed, EVENTS_UNREACHABLE));
}
