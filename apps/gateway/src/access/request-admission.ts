import { FairShares, type Hold, TOKEN_SHARE } from '@forecourt/resilience';
import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { answerError, ERROR_CODE_HEADER } from '../http/answer-error.js';
import { AccessPolicy } from './access-policy.js';
import { RateLimits } from './caller-limits.js';
import { Pauses } from './pauses.js';
import { type AdmissionClass, fullCodeOf, REFUSAL_CODES } from './route-declaration.js';

const callers = new WeakMap<FastifyRequest, Caller>();

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** The caller of an authorized request. Throws `Error` on a route that requires no role. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error(`${request.url} requires no role: it has no caller`);
  return caller;
}

/** The same, or null. */
export function callerIfAny(request: FastifyRequest): Caller | null {
  return callers.get(request) ?? null;
}

/** The holders that a caller's requests count against: its token and, if the token has users, the user. */
export function shareOf({ token, name }: Pick<Caller, 'token' | 'name'>): readonly string[] {
  return token === name ? [token] : [token, name];
}

/** The caller of the request, as a handler's parameter. */
export const RequestCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * Authorizes requests by the declarations of their routes, and counts them against rate limits. This is a hook and not a
 * Nest guard, because guards run after the body has been received and parsed, which a client without a valid token must
 * not cause.
 */
@Injectable()
export class RequestAuthorization {
  constructor(
    @Inject(AccessPolicy) private readonly accessPolicy: Pick<AccessPolicy, 'tokens'>,
    @Inject(RateLimits) private readonly rateLimits: Pick<RateLimits, 'count'>,
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
    const exceeded = await this.rateLimits.count(caller);
    if (exceeded !== null) return answerError(reply, exceeded);
  }
}

type AdmissionSettings = Pick<
  GatewayConfig,
  | 'maxReservations'
  | 'maxExecutions'
  | 'maxDryRuns'
  | 'maxRecordReads'
  | 'maxOutcomeWaits'
  | 'maxStreams'
>;

/** A paused token is refused at once; an execution may still learn the outcome of what was submitted before. */
const REFUSED_WHILE_PAUSED: ReadonlySet<AdmissionClass> = new Set(['reserve', 'dry-run']);

/**
 * Bounds the requests in progress, each class separately, so that a flood of one does not affect the others. A request
 * beyond the bound is refused before its body is read; it takes a place once the body has arrived.
 */
@Injectable()
export class RequestAdmission {
  readonly #shares: Readonly<Record<AdmissionClass, FairShares>>;
  readonly #holds = new WeakMap<FastifyRequest, Hold>();

  constructor(
    @Inject(GATEWAY_CONFIG)
    config: AdmissionSettings,
    @Inject(Pauses) private readonly pauses: Pick<Pauses, 'requireRunning'>,
  ) {
    const share = TOKEN_SHARE;
    this.#shares = {
      reserve: new FairShares({ total: config.maxReservations, share }),
      execute: new FairShares({ total: config.maxExecutions, share }),
      'dry-run': new FairShares({ total: config.maxDryRuns, share }),
      records: new FairShares({ total: config.maxRecordReads, share }),
      stream: new FairShares({ total: config.maxStreams, share }),
      wait: new FairShares({ total: config.maxOutcomeWaits, share }),
    };
  }

  /** To be called after `RequestAuthorization` is attached: room is shared between callers. */
  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', async (request, reply) => {
      const { admission } = request.routeOptions.config;
      if (admission === undefined) return;
      const refusal = this.findRefusal(request, admission);
      if (refusal !== null) return answerError(reply, refusal);
    });
    server.addHook('preValidation', async (request, reply) => {
      const { admission } = request.routeOptions.config;
      if (admission === undefined) return;
      const hold = this.#shares[admission].take(shareOf(callerOf(request)));
      if (hold === null) return answerError(reply, new ForecourtError(fullCodeOf(admission)));
      // The answer is sent for as long as the client listens.
      if (admission !== 'stream') this.#holds.set(request, hold);
      else if (reply.raw.destroyed) hold.release();
      else reply.raw.once('close', () => hold.release());
    });
    // Not `onResponse`, which is never called when the client has left before its answer.
    server.addHook('onSend', (request, _reply, _payload, done) => {
      this.#holds.get(request)?.release();
      done();
    });
  }

  private findRefusal(request: FastifyRequest, admission: AdmissionClass): ForecourtError | null {
    try {
      if (REFUSED_WHILE_PAUSED.has(admission)) {
        this.pauses.requireRunning({ token: callerOf(request).token });
      }
    } catch (error) {
      if (error instanceof ForecourtError) return error;
      throw error;
    }
    const hasRoom = this.#shares[admission].hasRoom(shareOf(callerOf(request)));
    return hasRoom ? null : new ForecourtError(fullCodeOf(admission));
  }
}
