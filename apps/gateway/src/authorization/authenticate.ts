import { errorTable, type ForecourtError } from '@forecourt/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Role, Tokens } from '@forecourt/policy/tokens';
import { answerError } from '../http/answer-error.js';

/** A route that needs a token: the role it needs, and what it answers without one (specification, "Errors"). */
interface Protected {
  readonly role: Role;
  readonly refusal: unknown;
}

const invalidToken = { error: errorTable.INVALID_AUTHORIZATION_TOKEN.message };

const PROTECTED: Readonly<Record<string, Protected>> = {
  '/v1/reserve_gas': { role: 'sponsor', refusal: invalidToken },
  '/v1/execute_tx': { role: 'sponsor', refusal: invalidToken },
  '/v1/reload_access_controller': {
    role: 'operator',
    refusal: { error: errorTable.UNAUTHORIZED.message },
  },
  '/debug_health_check': { role: 'operator', refusal: errorTable.UNAUTHORIZED.message },
};

/** Who says who calls, and how often. */
export interface Authorities {
  /** Those that are valid now. */
  readonly tokens: () => Tokens;
  /** Counts a request; the error when it is one too many. */
  readonly countRequest: (caller: Caller) => Promise<ForecourtError | null>;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Looks at tokens before a body is read, so that nobody without one can make the service parse anything. */
export function authenticate(server: FastifyInstance, { tokens, countRequest }: Authorities): void {
  server.addHook('onRequest', async (request, reply) => {
    const needed = PROTECTED[request.routeOptions.url ?? ''];
    if (needed === undefined) return;
    const caller = tokens().callerOf(request.headers.authorization);
    if (caller === null) return answer(reply, 401, needed.refusal);
    if (!caller.roles.has(needed.role)) {
      return answer(reply, 403, { error: `This token has not the role ${needed.role}` });
    }
    const exceeded = await countRequest(caller);
    if (exceeded !== null) {
      return answerError(reply, exceeded);
    }
    callers.set(request, caller);
  });
}

/** Who made a request that `authenticate` let through. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url} is served without authentication`);
  return caller;
}

function answer(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(body));
}
