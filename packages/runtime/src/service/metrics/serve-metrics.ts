import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../../metrics/index.js';
import type { FastifyServer } from '../fastify-server.js';
import { PUBLIC_ROUTE } from '../routes/declare-route.js';

const PATH = '/metrics';

/** `GET /metrics` beside a service's probes. */
export function addMetricsRoute(server: FastifyServer, metrics: Metrics): void {
  const config: object = PUBLIC_ROUTE;
  server.get(PATH, { config }, async (_request, reply) => {
    const { contentType, text } = await metrics.expose();
    return reply.header('content-type', contentType).send(text);
  });
}

/** A listener that serves only the metrics. */
export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/** `GET /metrics` on a separate port, for a service whose port is public. Port 0 takes any free one. Throws when the port is taken. */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    metrics.expose().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}${PATH}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
