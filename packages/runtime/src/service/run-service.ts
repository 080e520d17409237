import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError } from '../config/index.js';
import { armFailpoints, readFailpoints } from '../failpoints/index.js';
import { Metrics } from '../metrics/index.js';
import { startTracing } from '../start-tracing.js';
import { HostProcess } from './host-process.js';
import { createLogger, logFile, type Logger } from './logger.js';
import { type ListenOptions, Service } from './service.js';
import { shutDown } from './shut-down.js';
import { logConsole } from './log-console.js';

export interface ServiceConfig {
  readonly logLevel: string;
  /** Commit of the build; absent or null: read from Git. */
  readonly buildCommit?: string | null;
  /** The receiver of spans, and the sampled share; without an endpoint the service creates no spans. */
  readonly traceEndpoint?: string | null;
  readonly traceSampleRatio?: number;
  /**
   * Duration of the drain in ms: the service still serves while balancers detect its stop; absent: no drain.
   */
  readonly drainMs?: number;
}

/** A service as a process runs it, alone or beside others. */
export interface ServiceDefinition {
  readonly name: string;
  /** Reads its configuration. Throws `ConfigError`. */
  readonly configure: () => ConfiguredService;
}

interface ConfiguredService {
  readonly config: ServiceConfig;
  /** Creates its application, which does not listen yet. */
  readonly create: (service: Service) => Promise<ServiceApplication>;
}

/** A service's application, and where it is to listen. */
export interface ServiceApplication extends ListenOptions {
  readonly app: NestFastifyApplication;
}

export function defineService<Config extends ServiceConfig>(
  name: string,
  readConfig: () => Config,
  create: (service: Service, config: Config) => Promise<ServiceApplication>,
): ServiceDefinition {
  const configure = () => {
    const config = readConfig();
    return { config, create: (service: Service) => create(service, config) };
  };
  return { name, configure };
}

/** The `main` of a service that is alone in its process. */
export function runService(definition: ServiceDefinition): Promise<void> {
  return runServices(definition.name, [definition]);
}

/**
 * The `main` of a process: reads the configuration of each service, creates the applications and has them
 * listen, in the given order. SIGTERM and SIGINT turn readiness off, finish the requests in flight, close the
 * applications in the reverse order and end the process. A failure is logged in one line with its reason, and
 * ends the process with 1; an invalid configuration does so before any service listens. With the argument
 * `--check`, a process that can be configured ends with 0.
 */
export async function runServices(
  name: string,
  definitions: readonly ServiceDefinition[],
): Promise<void> {
  let logger: Logger = createLogger(name, 'info');
  try {
    armFailpoints(readFailpoints());
    const configured = configureAll(definitions);
    if (process.argv.includes('--check')) return;
    const configs = configured.map(({ config }) => config);
    const endTracing = await beginTracing(name, configs);
    const host = new HostProcess(name, configs[0]!.logLevel);
    logger = host.logger;
    logConsole(logger);
    reportUnforeseen(logger);
    const created = await createAll(configured, host);
    const apps = created.map(({ app }) => app).toReversed();
    const { state } = host;
    state.onFail(() => process.exit(1));
    // A process that does not serve yet stops at once.
    let drainMs = 0;
    const stop = (signal: string) =>
      void shutDown({ apps, state, logger, signal, drainMs, endTracing });
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    for (const { service, app, ...options } of created) await service.listen(app, options);
    drainMs = Math.max(...configs.map((config) => config.drainMs ?? 0));
  } catch (error) {
    logger.error({ error: describeStartError(error) }, 'Service cannot start');
    process.exit(1);
  }
}

/**
 * A promise that nothing awaits may reject although the service can go on: a request must not end all others.
 * After any other unforeseen error the state is unknown; another process finishes the work.
 */
function reportUnforeseen(logger: Logger): void {
  const describe = (error: unknown) => ({
    error: String(error),
    stack: error instanceof Error ? error.stack : undefined,
  });
  process.on('unhandledRejection', (reason) => {
    logger.error(describe(reason), 'Unforeseen error; the service goes on');
  });
  process.on('uncaughtException', (error) => {
    logger.error(describe(error), 'Unforeseen error; the process ends');
    process.exit(1);
  });
}

type NamedService = ConfiguredService & Pick<ServiceDefinition, 'name'>;

/** Throws `ConfigError` with the problems of all services. */
function configureAll(definitions: readonly ServiceDefinition[]): NamedService[] {
  const problems = new Set<string>();
  const configured = definitions.flatMap(({ name, configure }) => {
    try {
      return { name, ...configure() };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(problem);
      return [];
    }
  });
  if (problems.size > 0) throw new ConfigError([...problems]);
  return configured;
}

/** Returns a function that sends the last spans. */
async function beginTracing(
  service: string,
  configs: readonly ServiceConfig[],
): Promise<() => Promise<void>> {
  const traced = configs.find(({ traceEndpoint }) => traceEndpoint);
  if (!traced) return async () => undefined;
  const { traceEndpoint, traceSampleRatio: sampleRatio = 1 } = traced;
  return startTracing({ service, endpoint: traceEndpoint!, sampleRatio });
}

/** The last service shows the process's own metrics. */
async function createAll(configured: readonly NamedService[], host: HostProcess) {
  const created: (ServiceApplication & { readonly service: Service })[] = [];
  const version = readVersion(configured[0]!.config.buildCommit ?? null);
  for (const { name, config, create } of configured) {
    const isLast = created.length === configured.length - 1;
    const metrics = isLast ? metricsOfProcess(name) : Metrics.ofService(name);
    const { logLevel, traceEndpoint } = config;
    const traced = Boolean(traceEndpoint);
    const service = new Service({ name, logLevel, version, metrics, traced, host });
    created.push({ service, ...(await create(service)) });
  }
  return created;
}

function metricsOfProcess(service: string): Metrics {
  const metrics = Metrics.ofProcess(service);
  metrics.figures({
    name: 'log_write_errors_total',
    help: 'Failed attempts to write the log.',
    kind: 'counter',
    read: () => [[{}, logFile().errors]],
  });
  return metrics;
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

/**
 * `<semver>-<12 hex digits of the build's commit>`; zeros when no source knows the commit. The variable comes
 * first, then the package. This asks Git in a clone only, since a package may be installed in the repository
 * of another project.
 */
export function readVersion(buildCommit: string | null): string {
  const { version, gitHead } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string; gitHead?: string };
  const commit = (buildCommit ?? gitHead ?? askGit()).toLowerCase().replace(/[^0-9a-f]/g, '');
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
 * Lets the heap grow to four times its used size before V8 marks all of it again. Each marking delays
 * responses by 50 ms or more, and clients that send much cause one every few seconds. Costs memory: services
 * with about 50 MB in use reach 200 MB.
 */
export function raiseHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
