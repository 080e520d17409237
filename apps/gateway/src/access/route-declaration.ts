import { type ErrorCode, errorTable } from '@forecourt/contracts';
import type { Role } from '@forecourt/policy/tokens';
import { declareRoute } from '@forecourt/runtime/service';
import type { FastifyInstance } from 'fastify';

/** The roles of which a route requires one, and the answer to a client without a valid token. */
export interface RequiredRole {
  /** Refusals name the first. */
  readonly roles: readonly [Role, ...Role[]];
  readonly refusal: { readonly error: string } | string;
}

/** Requests whose number in progress is bounded together. */
export type AdmissionClass = SponsoringClass | 'records' | 'wait';
/** Requests to sponsor something. */
type SponsoringClass = 'reserve' | 'execute' | 'dry-run';

const SPONSORING: ReadonlySet<AdmissionClass> = new Set<SponsoringClass>([
  'reserve',
  'execute',
  'dry-run',
]);

export function isForSponsoring({ admission }: RouteDeclaration): boolean {
  return admission !== undefined && SPONSORING.has(admission);
}

/** The declaration of a route, in Fastify's `config` of the route. */
export interface RouteDeclaration {
  /**
   * `public`: needs no token. `checked by the route`: the route checks tokens, after it has bounded its
   * clients.
   */
  readonly access?: RequiredRole | 'public' | 'checked by the route';
  readonly admission?: AdmissionClass;
  /** The errors of its handler, besides those that follow from the other declarations. */
  readonly errorCodes?: readonly ErrorCode[];
}

declare module 'fastify' {
  // An interface, which is merged with Fastify's own.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface FastifyContextConfig extends RouteDeclaration {}
}

/** The error for a client without a valid token (specification, "Errors"). */
export const REFUSAL_CODES = {
  sponsor: 'INVALID_AUTHORIZATION_TOKEN',
  operator: 'UNAUTHORIZED',
  auditor: 'UNAUTHORIZED',
} as const satisfies Record<Role, ErrorCode>;

/** The roles that read what concerns the whole fleet. */
export const READERS = ['operator', 'auditor'] as const satisfies RequiredRole['roles'];

/**
 * Only callers with one of the roles may use the route. `bareRefusal`: a missing or wrong token is answered
 * with a JSON string.
 */
export function RequireRole(
  given: Role | RequiredRole['roles'],
  { bareRefusal = false } = {},
): MethodDecorator {
  const roles = typeof given === 'string' ? ([given] as const) : given;
  const { message } = errorTable[REFUSAL_CODES[roles[0]]];
  const refusal = bareRefusal ? message : { error: message };
  return declareRoute({ access: { roles, refusal } } satisfies RouteDeclaration);
}

/**
 * Bounds how many requests of this class are in progress. The route must require a role: room is shared
 * between callers.
 */
export function Admission(admission: AdmissionClass): MethodDecorator {
  return declareRoute({ admission } satisfies RouteDeclaration);
}

/** The errors of the handler, for the documentation. */
export function ErrorCodes(...errorCodes: ErrorCode[]): MethodDecorator {
  return declareRoute({ errorCodes } satisfies RouteDeclaration);
}

/**
 * Stops the start of the service if a route does not declare its access: Fastify then throws an `Error` that
 * names every such route. Call it before any route is registered.
 */
export function requireDeclaredRoutes(server: FastifyInstance): void {
  const undeclared: string[] = [];
  server.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) undeclared.push(`${String(method)} ${url}`);
  });
  server.addHook('onReady', async () => {
    if (undeclared.length === 0) return;
    throw new Error(
      `Routes without declared access: ${undeclared.join(', ')}. Mark their handlers with @RequireRole or @Public`,
    );
  });
}
