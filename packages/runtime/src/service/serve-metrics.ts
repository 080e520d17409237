import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPlaces, countPlaces, guardServer } from '@forecourt/admission';
import { listenerLimits, rememberAnswer, TokenBuckets } from '@forecourt/resilience';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Metrics } from '../metrics/index.js';
import { PUBLIC_ROUTE } from './declare-route.js';

/** The Fastify under a Nest application. */
export type FastifyServer = ReturnType<
  ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']
>;

const PATH = '/metrics';

/** `GET /metrics` beside a service's probes. */
export function addMetricsRoute(server: FastifyServer, metrics: Metrics): void {
  const config: object = PUBLIC_ROUTE;
  const readMetrics = shareExposition(metrics);
  server.get(PATH, { config }, async (_request, reply) => {
    const { contentType, body } = await readMetrics();
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

/**
 * `GET /metrics` on a separate port, for a service whose port is public. Port 0 takes any free one. Throws
 * when the port is taken.
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port, places = new ConnectionPlaces(countPlaces()) }: MetricsListenerOptions,
): Promise<MetricsListener> {
  const readMetrics = shareExposition(metrics);
  const server = guardServer(createServer(), places, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    readMetrics().then(
      ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
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

/**
 * So many readings one after the other, and one each second in the long run; in between, the last one is
 * served again.
 */
const BURST = 10;
const PER_SECOND = listenerLimits.metricsReadings.default;

export interface ExposedMetrics {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Reads the metrics once for all clients that ask at the same time, so that many requests cost little more
 * than one.
 */
export function shareExposition(metrics: Pick<Metrics, 'expose'>): () => Promise<ExposedMetrics> {
  const readings = new TokenBuckets({ capacity: BURST, perSecond: PER_SECOND });
  let last: ExposedMetrics | null = null;
  return rememberAnswer(async () => {
    if (readings.take('') > 0 && last !== null) return last;
    const { contentType, text } = await metrics.expose();
    last = { contentType, body: Buffer.from(text) };
    return last;
  });
}
