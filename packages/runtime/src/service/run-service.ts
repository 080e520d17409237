import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { warningsOfRemoved } from '../config/index.js';
import { armFailpoints, readFailpoints } from '../failpoints/index.js';
import { Metrics } from '../metrics/index.js';
import { startTracing } from '../tracing.js';
import { createLogger, type Logger } from './logger.js';
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

const COMMIT_DIGITS = 12;

/** `<semver>-<12 hex digits of the build's commit>`; zeros when neither the build nor git provides the commit. */
export function readVersion(buildCommit: string | null): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const commit = (buildCommit ?? askGit()).toLowerCase().replace(/[^0-9a-f]/g, '');
  return `${version}-${commit.slice(0, COMMIT_DIGITS).padEnd(COMMIT_DIGITS, '0')}`;
}

function askGit(): string {
  try {
    const cwd = new URL('.', import.meta.url);
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, stdio: [...stdio], encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** V8's own factor is about 1.2 for a small heap in a process that allocates slowly. */
const GROWTH_PERCENT = 300;

/**
 * Lets the heap grow to four times its used size before V8 marks all of it again. Each marking delays responses by
 * 50 ms or more, and clients that send much cause one every few seconds. Costs memory: services with about 50 MB in
 * use reach 200 MB.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
