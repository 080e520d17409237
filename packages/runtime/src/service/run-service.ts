import { armFailpoints, readFailpoints } from '../failpoints/index.js';
import { Metrics } from '../metrics/index.js';
import { startTracing } from '../tracing/index.js';
import { createLogger, type Logger } from './logger.js';
import { readVersion } from './replicas/read-version.js';
import { Service } from './service.js';

export interface ServiceConfig {
  readonly logLevel: string;
  /** Commit of the build; absent or null: Git is asked. */
  readonly buildCommit?: string | null;
  /** Where spans are sent, and the share that is sampled; without an endpoint none are made. */
  readonly traceEndpoint?: string | null;
  readonly traceSampleRatio?: number;
}

/**
 * A service's `main`: reads its configuration, then has `start` create the application and listen. A failure is logged in
 * one line that says why, and ends the process with 1; an invalid configuration does so before anything listens.
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
