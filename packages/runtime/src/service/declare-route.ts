import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

/** A decorator that adds to the options of a handler's route: Fastify's `config` of the route. */
export function declareRoute(declaration: object): MethodDecorator {
  return (target, name, descriptor) => {
    const declared = Reflect.getMetadata(
      FASTIFY_ROUTE_CONFIG_METADATA,
      descriptor.value as object,
    ) as object | undefined;
    RouteConfig({ ...declared, ...declaration })(target, name, descriptor);
  };
}

/** Enough for the names, numbers and reasons that most requests carry. */
export const DEFAULT_BODY_BYTES = 4_096;

/** A part of Fastify's `config` of a route. */
export interface BodyDeclaration {
  readonly mostBodyBytes?: number;
}

/** The size of the largest body that a route takes, where the default is too small or larger than needed. */
export const MostBodyBytes = (mostBodyBytes: number): MethodDecorator =>
  declareRoute({ mostBodyBytes } satisfies BodyDeclaration);

/** Options of a route without authentication. */
export const PUBLIC_ROUTE = { access: 'public' } as const;

/** Marks a route that needs no authentication. */
export const Public = (): MethodDecorator => declareRoute(PUBLIC_ROUTE);
