import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type Logger, LOGGER, NestLogger } from './logger.js';
import { measureHttp } from './metrics/measure-http.js';
import { Metrics } from '@forecourt/metrics';
import { startTracing } from '@forecourt/tracing';
import { addMetricsRoute, listenForMetrics } from './metrics/serve-metrics.js';
import { traceRequests } from './tracing/trace-requests.js';
import { ServiceState } from './service-state.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter>[0];

export interface ServiceOptions {
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  /** What the process measures. */
  readonly metrics?: Metrics;
  /** Where `GET /metrics` is served; absent: on `port`. */
  readonly metricsPort?: number;
  /** Where spans are sent, and how large a share; without an endpoint none are made. */
  readonly tracing?: { readonly endpoint: string | null; readonly sampleRatio: number };
  readonly fastify?: FastifyOptions;
  /** Called before the service listens: hooks, pipes, microservices. */
  readonly configure?: (app: NestFastifyApplication, logger: Logger) => void | Promise<void>;
  /** How long a shutdown may take before it is cut short, in ms (default `SHUTDOWN_MS`). */
  readonly shutdownMs?: number;
}

/** How long a service that was told to stop goes on with what is in flight, in ms. */
export const SHUTDOWN_MS = 20_000;

@Global()
@Module({})
class HostModule {}

/**
 * Runs a service until it is told to stop: SIGTERM or SIGINT turn readiness off, finish what is in flight within the
 * deadline and end the process. A start that fails logs one line that says why and ends the process with 1.
 */
export async function runService(options: ServiceOptions): Promise<NestFastifyApplication> {
  const logger = createLogger(options.name, options.logLevel);
  const state = new ServiceState();
  try {
    const endTracing = await beginTracing(options);
    const app = await createApplication(options, logger, state);
    app.getHttpAdapter().getInstance().addHook('onClose', endTracing);
    const metrics = await openMetrics(app, options);
    const stop = (signal: string) => void shutDown(app, state, logger, signal, options.shutdownMs);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ host: options.host, port: options.port });
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

/** Opens the listener for the metrics alone, where there is to be one; it closes with the application. */
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
    new FastifyAdapter(options.fastify),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  const server = app.getHttpAdapter().getInstance();
  const routes: string[] = [];
  server.addHook('onRoute', ({ method, url }) => void routes.push(`${String(method)} ${url}`));
  server.addHook('onListen', async () => logger.debug({ routes }, 'routes'));
  measureHttp(server, metrics);
  if (options.tracing?.endpoint) traceRequests(server);
  if (options.metricsPort === undefined) addMetricsRoute(server, metrics);
  await options.configure?.(app, logger);
  return app;
}

async function shutDown(
  app: NestFastifyApplication,
  state: ServiceState,
  logger: Logger,
  signal: string,
  shutdownMs = SHUTDOWN_MS,
): Promise<void> {
  state.stopping = true;
  logger.info({ signal }, 'stopping');
  const cut = setTimeout(() => {
    logger.warn({ shutdownMs }, 'stopped before everything in flight was done');
    process.exit(1);
  }, shutdownMs);
  cut.unref();
  try {
    await app.close();
    logger.info('stopped');
    process.exit(0);
  } catch (error) {
    logger.error({ error }, 'stopping failed');
    process.exit(1);
  }
}

interface ListenError {
  readonly address?: string;
  readonly port?: number;
}

function describeStartError(error: unknown, { host, port }: ServiceOptions): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port: taken } = error as NodeJS.ErrnoException & ListenError;
  if (code === 'EADDRINUSE') {
    return `${error.message}: the port is taken (${address ?? host}:${taken ?? port})`;
  }
  return error.message;
}
