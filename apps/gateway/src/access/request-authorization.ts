import { Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError, ERROR_CODE_HEADER } from '../http/answer-error.js';
import { AccessPolicy } from './access-policy.js';
import { REFUSAL_CODES } from './route-declaration.js';
import { RateLimits } from './rate-limits.js';
import { setCaller } from './request-caller.js';

/**
 * Authorizes requests by the declarations of their routes, and counts them against rate limits. This is a
 * hook and not a Nest guard, because guards run after the body has been received and parsed, which a client
 * without a valid token must not cause.
 */
@Injectable()
export class RequestAuthorization {
  constructor(
    private readonly accessPolicy: AccessPolicy,
    private readonly rateLimits: RateLimits,
  ) {}

  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply) => this.authorize(request, reply));
  }

  private async authorize(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { url, config } = request.routeOptions;
    const isNotFound = url === undefined;
    if (isNotFound || config.access === 'public' || config.access === 'checked by the route')
      return;
    if (config.access === undefined) {
      const undeclared = 'This route does not declare its access';
      return answerError(reply, new ForecourtError('FORBIDDEN', undeclared));
    }
    const { roles, refusal } = config.access;
    const { tokens } = this.accessPolicy;
    const { authorization } = request.headers;
    const identified = await tokens.identify(authorization);
    if ('challenge' in identified) {
      void reply.header('www-authenticate', identified.challenge);
      void reply.header(ERROR_CODE_HEADER, REFUSAL_CODES[roles[0]]);
      return reply.code(401).type('application/json').send(JSON.stringify(refusal));
    }
    const { caller } = identified;
    // Also of a refused request: history names the token.
    setCaller(request, caller);
    if (!roles.some((role) => caller.roles.has(role))) {
      const lacking = `Token lacks the role ${roles[0]}`;
      return answerError(reply, new ForecourtError('FORBIDDEN', lacking));
    }
    if (caller.rateLimit === null) return;
    const exceeded = await this.rateLimits.count(caller.name, caller.rateLimit);
    if (exceeded !== null) return answerError(reply, exceeded);
  }
}
