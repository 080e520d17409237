import Fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';

/** A bare HTTP server for a side door; the main one belongs to the Nest app. */
export function createSideServer(): FastifyInstance {
  return Fastify({ logger: false, forceCloseConnections: true });
}

/** Listens and tells the URL, which names the port taken when 0 was asked for. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port });
  return urlOf(server.server.address() as AddressInfo);
}

export function urlOf({ address, family, port }: AddressInfo): string {
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
