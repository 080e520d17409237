import { errorTable } from '@forecourt/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tokens } from './tokens.js';

const invalidToken = { error: errorTable.INVALID_AUTHORIZATION_TOKEN.message };

/** Routes that need a token, and what each answers without one (specification, "Errors"). */
const PROTECTED: Readonly<Record<string, unknown>> = {
  '/v1/reserve_gas': invalidToken,
  '/v1/execute_tx': invalidToken,
  '/v1/reload_access_controller': { error: errorTable.UNAUTHORIZED.message },
  '/debug_health_check': errorTable.UNAUTHORIZED.message,
};

const callers = new WeakMap<FastifyRequest, string>();

/** Looks at tokens before a body is read, so that nobody without one can make the service parse anything. */
export function authenticate(server: FastifyInstance, tokens: Tokens): void {
  server.addHook('onRequest', async (request, reply) => {
    const answer = PROTECTED[request.routeOptions.url ?? ''];
    if (answer === undefined) return;
    const caller = tokens.callerOf(request.headers.authorization);
    if (caller === null) {
      return reply.code(401).type('application/json').send(JSON.stringify(answer));
    }
    callers.set(request, caller);
  });
}

/** Who made a request that `authenticate` let through. */
export function callerOf(request: FastifyRequest): string {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url} is served without authentication`);
  return caller;
}
