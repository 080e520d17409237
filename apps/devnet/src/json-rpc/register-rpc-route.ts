import type { FastifyInstance } from 'fastify';
import { answerJsonRpc, ConnectionDropped, type CallMethod } from './answer-json-rpc.js';
import { JsonRpcCode } from './json-rpc-error.js';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/**
 * Registers `POST /` straight on the HTTP server: this is the hot path, and a framework's per-request
 * work would cost more than the call. Browsers may call from any origin, as on a public node.
 */
export function registerRpcRoute(
  server: FastifyInstance,
  bodyLimit: number,
  call: CallMethod,
): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, body),
  );
  server.options('/', (_request, reply) => reply.headers(CORS).code(204).send());
  server.post('/', {
    bodyLimit,
    handler: async (request, reply) => {
      try {
        const body = typeof request.body === 'string' ? request.body : '';
        const answer = await answerJsonRpc(body, call);
        reply.header('access-control-allow-origin', '*');
        if (answer === null) return reply.code(204).send();
        return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
    },
    errorHandler: (error, _request, reply) => {
      const tooBig = (error as { statusCode?: number }).statusCode === 413;
      const code = tooBig ? JsonRpcCode.requestTooBig : JsonRpcCode.internal;
      const message = tooBig
        ? `Request is too big, the limit is ${bodyLimit} bytes`
        : 'Internal error';
      void reply
        .code(tooBig ? 413 : 500)
        .send({ jsonrpc: '2.0', id: null, error: { code, message } });
    },
  });
}
