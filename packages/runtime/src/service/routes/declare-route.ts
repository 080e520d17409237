import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

/** A decorator that adds to what a handler's route declares of itself: Fastify's `config` of the route. */
export function declareRoute(declaration: object): MethodDecorator {
  return (target, name, descriptor) => {
    const declared = Reflect.getMetadata(
      FASTIFY_ROUTE_CONFIG_METADATA,
      descriptor.value as object,
    ) as object | undefined;
    RouteConfig({ ...declared, ...declaration })(target, name, descriptor);
  };
}

/** What a route that serves everybody declares. */
export const PUBLIC_ROUTE = { access: 'public' } as const;

/** A route that serves everybody. */
export const Public = (): MethodDecorator => declareRoute(PUBLIC_ROUTE);
