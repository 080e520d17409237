import { ForecourtError, JsonRpcCode, rpcFailure } from '@forecourt/contracts';
import type { FastifyInstance } from 'fastify';
import { answerError } from './answer-error.js';

/** Answers HTTP/1.1 requests without a `Host` header. */
export function refuseWithoutHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return done();
    void reply.code(400).send({ error: 'Missing Host header' });
  });
}

/**
 * Answers requests with compressed bodies: to expand one may cost far more than its size says. `rpcPath`: the
 * route that answers in JSON-RPC.
 */
export function refuseEncodedBodies(server: FastifyInstance, rpcPath: string): void {
  server.addHook('onRequest', ({ headers, routeOptions }, reply, done) => {
    const encoding = headers['content-encoding']?.trim() ?? '';
    if (/^(?:identity)?$/i.test(encoding)) return done();
    void reply.header('accept-encoding', 'identity');
    const error = new ForecourtError('BODY_ENCODED', JSON.stringify(encoding.slice(0, 100)));
    if (routeOptions.url !== rpcPath) return answerError(reply, error);
    void reply.code(error.status).send(rpcFailure(JsonRpcCode.invalidRequest, error.message));
  });
}
