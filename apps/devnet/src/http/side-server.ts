import Fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';

/** An HTTP server for an additional endpoint; Nest serves only the main one. */
export function createSideServer(): FastifyInstance {
  return Fastify({ logger: false, forceCloseConnections: true });
}

/** Listens and returns the URL, with the actual port when `port` is 0. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port });
  return urlOf(server.server.address() as AddressInfo);
}

export function urlOf({ address, family, port }: AddressInfo): string {
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
