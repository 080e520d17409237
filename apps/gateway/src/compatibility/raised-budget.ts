import type { FastifyRequest } from 'fastify';

const raised = new WeakMap<FastifyRequest, number>();

/** Notes that a request asks for a budget that its body could not say. */
export function raiseBudget(request: FastifyRequest, gasBudget: number): void {
  raised.set(request, gasBudget);
}

/** The budget that a request asks for, where its body could not say it. */
export function raisedBudget(request: FastifyRequest): number | undefined {
  return raised.get(request);
}
