import type { FastifyInstance } from 'fastify';
import {
  type AnswerOptions,
  answerJsonRpc,
  type CallMethod,
  ConnectionDropped,
} from './answer-json-rpc.js';
import { HttpOrigin } from './http-origin.js';
import { JsonRpcCode } from './json-rpc-error.js';
import { ANYBODY, type ServedClients } from './limits/served-clients.js';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

export interface RpcRouteOptions extends AnswerOptions {
  readonly path: string;
  /** Larger bodies get HTTP 413 and -32701. */
  readonly bodyLimitBytes: number;
  /** Calls of one batch that run at once. */
  readonly maxPendingCalls?: number;
  /** What bounds clients together; absent: each request is bounded alone. */
  readonly clients?: ServedClients;
}

const MAX_PENDING_CALLS = 32;
/** Seconds. */
const RETRY_AFTER = 1;

/**
 * Registers `POST <path>` straight on the HTTP server: this is the hot path, and a framework's per-request work would
 * cost more than the call. Browsers may call from any origin, as on a public node.
 */
export function registerRpcRoute(
  server: FastifyInstance,
  call: CallMethod,
  options: RpcRouteOptions,
): void {
  const { path, bodyLimitBytes: bodyLimit, clients } = options;
  const { maxPendingCalls = MAX_PENDING_CALLS } = options;
  const answering = { ...options, pendingCalls: clients?.pendingCalls };
  // In a scope of its own, so that the raw body is this route's alone.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.options(path, (_request, reply) => reply.headers(CORS).code(204).send());
    scope.post(path, {
      bodyLimit,
      handler: async (request, reply) => {
        const after: (() => void)[] = [];
        try {
          const body = typeof request.body === 'string' ? request.body : '';
          const client = clients?.clientOf(request.raw) ?? ANYBODY;
          const origin = new HttpOrigin(client, reply.raw, maxPendingCalls, clients?.memory);
          origin.held.take(body.length);
          const afterReply = (next: () => void) => void after.push(next);
          const onRefused = () => void reply.code(429).header('retry-after', RETRY_AFTER);
          const context = { origin, afterReply, onRefused };
          const answer = await answerJsonRpc(body, call, context, answering);
          reply.header('access-control-allow-origin', '*');
          if (answer === null) return reply.code(204).send();
          // Until the client has taken it.
          origin.answers.take(Buffer.byteLength(answer));
          return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
        } catch (error) {
          if (!(error instanceof ConnectionDropped)) throw error;
          reply.hijack();
          request.raw.socket.destroy();
          return reply;
        } finally {
          for (const next of after) next();
        }
      },
      errorHandler: (error, _request, reply) => {
        const { statusCode = 500 } = error as { statusCode?: number };
        const refusal = refusalOf(statusCode, bodyLimit);
        void reply.code(statusCode).send({ jsonrpc: '2.0', id: null, error: refusal });
      },
    });
  });
}

function refusalOf(status: number, bodyLimit: number) {
  if (status === 413) {
    const message = `Request is too big, the limit is ${bodyLimit} bytes`;
    return { code: JsonRpcCode.requestTooBig, message };
  }
  return status < 500
    ? { code: JsonRpcCode.invalidRequest, message: 'Invalid request: the body cannot be read' }
    : { code: JsonRpcCode.internal, message: 'Internal error' };
}
