import { warningsOfRemoved } from '../config/index.js';
import { armFailpoints, readFailpoints } from '../failpoints/index.js';
import { Metrics } from '../metrics/index.js';
import { startTracing } from '../tracing/index.js';
import { createLogger, type Logger } from './logger.js';
import { readVersion } from './replicas/read-version.js';
import { Service } from './service.js';

export interface ServiceConfig {
  readonly logLevel: string;
  /** Commit of the build; absent or null: read from Git. */
  readonly buildCommit?: string | null;
  /** The receiver of spans, and the sampled share; without an endpoint the service creates no spans. */
  readonly traceEndpoint?: string | null;
  readonly traceSampleRatio?: number;
}

/**
 * A service's `main`: reads its configuration, then calls `start`, which creates the application and listens. A
 * failure is logged in one line with its reason, and ends the process with 1; an invalid configuration does so
 * before the service listens.
 */
export async function runService<Config extends ServiceConfig>(
  name: string,
  readConfig: () => Config,
  start: (service: Service, config: Config) => Promise<void>,
): Promise<void> {
  let logger: Logger = createLogger(name, 'info');
  try {
    armFailpoints(readFailpoints());
    const config = readConfig();
    const endTracing = await beginTracing(name, config);
    const metrics = Metrics.ofProcess(name);
    const { logLevel, buildCommit = null } = config;
    const version = readVersion(buildCommit);
    const service = new Service({ name, logLevel, version, metrics, endTracing });
    logger = service.logger;
    for (const warning of warningsOfRemoved()) logger.warn({}, warning);
    await start(service, config);
  } catch (error) {
    logger.error({ error: describeStartError(error) }, 'Service cannot start');
    process.exit(1);
  }
}

async function beginTracing(
  service: string,
  { traceEndpoint: endpoint, traceSampleRatio: sampleRatio = 1 }: ServiceConfig,
): Promise<(() => Promise<void>) | undefined> {
  return endpoint ? startTracing({ service, endpoint, sampleRatio }) : undefined;
}

interface ListenError {
  readonly address?: string;
  readonly port?: number;
}

function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as NodeJS.ErrnoException & ListenError;
  return code === 'EADDRINUSE'
    ? `${error.message}: the port is taken (${address}:${port})`
    : error.message;
}
