import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ForecourtError } from '@forecourt/contracts';
import { callerOf } from '../authorization/authenticate.js';
import { Admission } from './admission.js';
import { answerError } from './answer-error.js';

export interface AdmittedRequests {
  readonly maxReservations: number;
  readonly maxExecutions: number;
}

/**
 * Bounds what is under way: reservations and executions apart, so that a flood of the ones leaves the others be. A
 * request that comes too much is answered before its body is read.
 */
export function admitRequests(
  server: FastifyInstance,
  { maxReservations, maxExecutions }: AdmittedRequests,
): void {
  const admissions: Readonly<Record<string, Admission>> = {
    '/v1/reserve_gas': new Admission({ most: maxReservations }),
    '/v1/execute_tx': new Admission({ most: maxExecutions }),
  };
  const leaving = new WeakMap<FastifyRequest, () => void>();
  server.addHook('onRequest', (request, reply, done) => {
    const admission = admissions[request.routeOptions.url ?? ''];
    if (admission === undefined) return done();
    const leave = admission.admit(callerOf(request).name);
    if (!leave) return void answerError(reply, new ForecourtError('OVERLOADED'));
    leaving.set(request, leave);
    done();
  });
  const leave = (request: FastifyRequest) => {
    leaving.get(request)?.();
    leaving.delete(request);
  };
  server.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    leave(request);
    done();
  });
}
