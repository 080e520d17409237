import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type Logger, LOGGER, NestLogger } from './logger.js';
import { ServiceState } from './service-state.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter>[0];

export interface ServiceOptions {
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly fastify?: FastifyOptions;
  /** Called before the service listens: hooks, pipes, microservices. */
  readonly configure?: (app: NestFastifyApplication, logger: Logger) => void | Promise<void>;
  /** How long a shutdown may take before it is cut short, in ms. */
  readonly shutdownMs?: number;
}

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
    const app = await createApplication(options, logger, state);
    const stop = (signal: string) => void shutDown(app, state, logger, signal, options.shutdownMs);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ host: options.host, port: options.port });
    logger.info({ url: await app.getUrl() }, 'listening');
    return app;
  } catch (error) {
    logger.error({ error: describeStartError(error, options) }, 'cannot start');
    process.exit(1);
  }
}

/** The application without the process around it, for tests. */
export async function createApplication(
  options: ServiceOptions,
  logger = createLogger(options.name, options.logLevel),
  state = new ServiceState(),
): Promise<NestFastifyApplication> {
  const host: DynamicModule = {
    module: HostModule,
    imports: [options.module],
    providers: [
      { provide: LOGGER, useValue: logger },
      { provide: ServiceState, useValue: state },
    ],
    exports: [LOGGER, ServiceState],
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    host,
    new FastifyAdapter(options.fastify),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  await options.configure?.(app, logger);
  return app;
}

async function shutDown(
  app: NestFastifyApplication,
  state: ServiceState,
  logger: Logger,
  signal: string,
  shutdownMs = 20_000,
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

function describeStartError(error: unknown, { host, port }: ServiceOptions): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${error.message}: the port is taken (${host}:${port})`;
  return error.message;
}
