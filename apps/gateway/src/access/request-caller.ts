import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { PerRequest } from '../http/per-request.js';

const callers = new PerRequest<FastifyRequest, Caller>();

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
