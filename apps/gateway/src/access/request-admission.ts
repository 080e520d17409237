import { FairShares, type Hold, TOKEN_SHARE } from '@forecourt/resilience';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { answerError } from '../http/answer-error.js';
import { PerRequest } from '../http/per-request.js';
import { Pauses } from './pauses.js';
import type { AdmissionClass } from './route-declaration.js';
import { callerOf, shareOf } from './request-caller.js';

/**
 * A paused token is refused at once; an execution may still learn the outcome of what was submitted before.
 */
const REFUSED_WHILE_PAUSED: ReadonlySet<AdmissionClass> = new Set(['reserve', 'dry-run']);

/**
 * Bounds the requests in progress, each class separately, so that a flood of one does not affect the others.
 * A request beyond the bound is refused before its body is read; it takes a place once the body has arrived.
 */
@Injectable()
export class RequestAdmission {
  readonly #shares: Readonly<Record<AdmissionClass, FairShares>>;
  readonly #holds = new PerRequest<FastifyRequest, Hold>();

  constructor(
    @Inject(GATEWAY_CONFIG)
    config: GatewayConfig,
    private readonly pauses: Pauses,
  ) {
    const share = TOKEN_SHARE;
    this.#shares = {
      reserve: new FairShares({ total: config.maxReservations, share }),
      execute: new FairShares({ total: config.maxExecutions, share }),
      'dry-run': new FairShares({ total: config.maxDryRuns, share }),
      records: new FairShares({ total: config.maxRecordReads, share }),
      wait: new FairShares({ total: config.maxOutcomeWaits, share }),
    };
  }

  /** To be called after `RequestAuthorization` is attached: room is shared between callers. */
  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const { admission } = request.routeOptions.config;
      const refusal = admission === undefined ? null : this.findRefusal(request, admission);
      if (refusal === null) done();
      else void answerError(reply, refusal);
    });
    server.addHook('preValidation', (request, reply, done) => {
      const { admission } = request.routeOptions.config;
      if (admission === undefined) return done();
      const hold = this.#shares[admission].take(shareOf(callerOf(request)));
      if (hold === null) return void answerError(reply, new ForecourtError('OVERLOADED'));
      this.#holds.set(request, hold);
      done();
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
    return hasRoom ? null : new ForecourtError('OVERLOADED');
  }
}
