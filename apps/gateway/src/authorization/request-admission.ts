import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { answerError } from '../http/answer-error.js';
import { placesOfBody } from '../http/places-of-body.js';
import { callerOf } from './caller-of-request.js';
import { FairAdmission } from './fair-admission.js';
import type { AdmissionClass } from './route-declaration.js';

/**
 * Bounds the requests in progress, each class separately, so that a flood of one does not affect the others. A request
 * beyond the bound is refused before its body is read.
 */
@Injectable()
export class RequestAdmission {
  readonly #admissions: Readonly<Record<AdmissionClass, FairAdmission>>;
  readonly #leaving = new WeakMap<FastifyRequest, () => void>();

  constructor(
    @Inject(GATEWAY_CONFIG)
    private readonly config: Pick<
      GatewayConfig,
      'maxReservations' | 'maxExecutions' | 'maxDryRuns' | 'bodyLimitBytes'
    >,
  ) {
    this.#admissions = {
      reserve: new FairAdmission(config.maxReservations),
      execute: new FairAdmission(config.maxExecutions),
      'dry-run': new FairAdmission(config.maxDryRuns),
    };
  }

  /** To be called after `RequestAuthorization` is attached: room is shared between callers. */
  attachTo(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const { admission } = request.routeOptions.config;
      if (admission === undefined) return done();
      // Its client has left while it was authorized: its body never ends, so that nothing would give its place back.
      if (request.raw.destroyed) return void reply.hijack();
      const places = placesOfBody(request.raw, this.config.bodyLimitBytes);
      const leave = this.#admissions[admission].admit(callerOf(request), places);
      if (!leave) return void answerError(reply, new ForecourtError('OVERLOADED'));
      this.#leaving.set(request, leave);
      done();
    });
    // Not `onResponse`, which is never called when the client has left before its answer.
    server.addHook('onSend', (request, _reply, _payload, done) => {
      this.leave(request);
      done();
    });
    server.addHook('onRequestAbort', (request, done) => {
      this.leave(request);
      done();
    });
  }

  private leave(request: FastifyRequest): void {
    this.#leaving.get(request)?.();
    this.#leaving.delete(request);
  }
}
