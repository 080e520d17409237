import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type Logger, LOGGER, NestLogger } from './logger.js';
import { measureHttp } from './metrics/measure-http.js';
import { Metrics } from '../metrics/index.js';
import { startTracing } from '../tracing/index.js';
import { addMetricsRoute, listenForMetrics } from './metrics/serve-metrics.js';
import { traceRequests } from './tracing/trace-requests.js';
import { ServiceState } from './service-state.js';
import { shutDown } from './shut-down.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter>[0];

export interface ServiceOptions {
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  /** The metrics of the process. */
  readonly metrics?: Metrics;
  /** Where `GET /metrics` is served; absent: on `port`. */
  readonly metricsPort?: number;
  /** Where spans are sent, and the share that is sampled; without an endpoint none are made. */
  readonly tracing?: { readonly endpoint: string | null; readonly sampleRatio: number };
  readonly fastify?: FastifyOptions;
  /** Called before the service listens: hooks, pipes, microservices. */
  readonly configure?: (app: NestFastifyApplication, logger: Logger) => void | Promise<void>;
  /** How long the service still serves after it was told to stop, so that balancers notice, in ms; absent: not at all. */
  readonly drainMs?: number;
  /** How long a shutdown may take after that before it is cut short, in ms (default `SHUTDOWN_MS`). */
  readonly shutdownMs?: number;
}

/** How long a stopping service may take to finish what is in flight, in ms. */
export const SHUTDOWN_MS = 20_000;

@Global()
@Module({})
class HostModule {}

/**
 * Runs a service until it is told to stop: SIGTERM or SIGINT turn readiness off, finish what is in flight within the
 * deadline and end the process. A failed start logs one line with the reason and ends the process with 1.
 */
export async function runService(options: ServiceOptions): Promise<NestFastifyApplication> {
  const logger = createLogger(options.name, options.logLevel);
  const state = new ServiceState();
  try {
    const endTracing = await beginTracing(options);
    const app = await createApplication(options, logger, state);
    app.getHttpAdapter().getInstance().addHook('onClose', endTracing);
    const metrics = await openMetrics(app, options);
    let drainMs = 0;
    const stop = (signal: string) => {
      const { shutdownMs = SHUTDOWN_MS } = options;
      void shutDown({ app, state, logger, signal, drainMs, shutdownMs });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ host: options.host, port: options.port });
    drainMs = options.drainMs ?? 0;
    logger.info({ url: await app.getUrl(), ...metrics }, 'listening');
    return app;
  } catch (error) {
    logger.error({ error: describeStartError(error, options) }, 'cannot start');
    process.exit(1);
  }
}

async function beginTracing({
  name: service,
  tracing,
}: ServiceOptions): Promise<() => Promise<void>> {
  if (!tracing?.endpoint) return async () => undefined;
  const { endpoint, sampleRatio } = tracing;
  return startTracing({ service, endpoint, sampleRatio });
}

/** Opens the listener for the metrics, where they have a port of their own; it closes with the application. */
async function openMetrics(
  app: NestFastifyApplication,
  { metrics, metricsPort, host }: ServiceOptions,
): Promise<{ readonly metricsUrl?: string }> {
  if (!metrics || metricsPort === undefined) return {};
  const listener = await listenForMetrics(metrics, { host, port: metricsPort });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onClose', () => listener.close());
  return { metricsUrl: listener.url };
}

/** The application without the process around it, for tests. */
export async function createApplication(
  options: ServiceOptions,
  logger = createLogger(options.name, options.logLevel),
  state = new ServiceState(),
): Promise<NestFastifyApplication> {
  const metrics = options.metrics ?? new Metrics();
  const host: DynamicModule = {
    module: HostModule,
    imports: [options.module],
    providers: [
      { provide: LOGGER, useValue: logger },
      { provide: ServiceState, useValue: state },
      { provide: Metrics, useValue: metrics },
    ],
    exports: [LOGGER, ServiceState, Metrics],
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    host,
    // Until its listener is closed, a stopping service answers as usual.
    new FastifyAdapter({ ...options.fastify, return503OnClosing: false } as FastifyOptions),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  const server = app.getHttpAdapter().getInstance();
  const routes: string[] = [];
  server.addHook('onRoute', ({ method, url }) => void routes.push(`${String(method)} ${url}`));
  server.addHook('onListen', async () => logger.debug({ routes }, 'routes'));
  measureHttp(server, metrics);
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.stopping) void reply.header('connection', 'close');
    done();
  });
  if (options.tracing?.endpoint) traceRequests(server);
  if (options.metricsPort === undefined) addMetricsRoute(server, metrics);
  await options.configure?.(app, logger);
  return app;
}

interface ListenError {
  readonly address?: string;
  readonly port?: number;
}

function describeStartError(error: unknown, { host, port }: ServiceOptions): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port: taken } = error as NodeJS.ErrnoException & ListenError;
  if (code === 'EADDRINUSE') {
    return `${error.message}: port ${taken ?? port} on ${address ?? host} is in use`;
  }
  return error.message;
}
