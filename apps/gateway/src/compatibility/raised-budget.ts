import type { FastifyRequest } from 'fastify';

const raised = new WeakMap<FastifyRequest, number>();

/** Notes that a request asks for a budget that its DTO does not allow. */
export function raiseBudget(request: FastifyRequest, gasBudget: number): void {
  raised.set(request, gasBudget);
}

/** The budget that a request asks for, if its DTO does not allow it. */
export function raisedBudget(request: FastifyRequest): number | undefined {
  return raised.get(request);
}
