import type { FastifyInstance } from 'fastify';
import { ERROR_CODE_HEADER } from './answer-error.js';

/** Those that the client package calls, except `/rpc`, which every page may call. */
const PATHS = /^\/(?:v1\/|version(?:\?|$))/;
const ANY = '*';
const METHODS = 'GET, POST';
/**
 * Pages send what their libraries add, such as `cache-control` or `traceparent`. The wildcard leaves
 * `authorization` out.
 */
const REQUEST_HEADERS = 'authorization, *';
const ANSWER_HEADERS = `${ERROR_CODE_HEADER}, retry-after, x-request-id, *`;
const PREFLIGHT_SECS = 86_400;

/**
 * Lets pages of these origins call the API below `/v1`, and `/version` (Fetch standard, "CORS protocol"). A
 * preflight carries no token and is answered before authorization. `@fastify/cors` would answer for every
 * path, and add a route without declared access.
 */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !PATHS.test(request.url)) return done();
    void reply.header('vary', 'Origin');
    if (!origins.includes(ANY) && !origins.includes(origin)) return done();
    void reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', ANSWER_HEADERS);
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (request.method !== 'OPTIONS' || !isPreflight) return done();
    void reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECS)
      .code(204)
      .send();
  });
}
