import type { FastifyInstance } from 'fastify';
import type {} from './route-declaration.js';

/**
 * Keeps the service from starting while a route does not declare who may use it: Fastify then throws an `Error` that names
 * every such route. To be called before any route is registered.
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
