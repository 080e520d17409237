import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPlaces, countPlaces, guardServer } from '@forecourt/admission';
import type { Metrics } from '../../metrics/index.js';
import type { FastifyServer } from '../fastify-server.js';
import { PUBLIC_ROUTE } from '../routes/declare-route.js';
import { SharedExposition } from './shared-exposition.js';

const PATH = '/metrics';

/** `GET /metrics` beside a service's probes. */
export function addMetricsRoute(server: FastifyServer, metrics: Metrics): void {
  const config: object = PUBLIC_ROUTE;
  const exposition = new SharedExposition(metrics);
  server.get(PATH, { config }, async (_request, reply) => {
    const { contentType, body } = await exposition.read();
    return reply.header('content-type', contentType).send(body);
  });
}

/** A listener that serves only the metrics. */
export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Those of the process; by default of this listener alone. */
  readonly places?: ConnectionPlaces;
}

/** `GET /metrics` on a separate port, for a service whose port is public. Port 0 takes any free one. Throws when the port is taken. */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port, places = new ConnectionPlaces(countPlaces()) }: MetricsListenerOptions,
): Promise<MetricsListener> {
  const exposition = new SharedExposition(metrics);
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    exposition.read().then(
      ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  guardServer(server, places);
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
