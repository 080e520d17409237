import { findExpense } from '@forecourt/admission';
import Fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';

/** An HTTP server for an additional endpoint; Nest serves only the main one. */
export function createSideServer(): FastifyInstance {
  const server = Fastify({ logger: false, forceCloseConnections: true });
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const expense = findExpense(String(body));
    if (expense === null) void parse(request, String(body), done);
    else done(Object.assign(new Error(expense), { statusCode: 400 }));
  });
  return server;
}

/** Listens and returns the URL, with the actual port when `port` is 0. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port });
  return urlOf(server.server.address() as AddressInfo);
}

export function urlOf({ address, family, port }: AddressInfo): string {
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
