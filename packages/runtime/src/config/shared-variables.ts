import { parseHttpHeaders } from './parse-value.js';
import type { ConfigOf } from './read-config.js';
import { variable } from './variable.js';

const HTTP = ['http:', 'https:'] as const;
/** JSON-RPC and gRPC. */
const NODES = [...HTTP, 'grpc:', 'grpcs:'] as const;

/** The most entries of each stream of history, unless configured otherwise. */
export const USUAL_HISTORY_BACKLOG = 1_000_000;

/** Variables that several services read; each takes those it needs into its own table. */
export const fleetVariables = {
  host: variable.text('LISTEN_HOST', {
    default: '127.0.0.1',
    description: 'Address to listen on; `0.0.0.0` in a container',
  }),
  logLevel: variable.choice('LOG_LEVEL', {
    values: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Lowest level that is logged',
  }),
  buildCommit: variable.optionalText('BUILD_COMMIT', {
    description: 'Commit of the build; by default taken from Git',
  }),
  drainMs: variable.integer('SHUTDOWN_DRAIN_MS', {
    default: 5_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'How long a stopping service keeps serving with its readiness off; then it has 20 s to finish',
  }),
  traceEndpoint: variable.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: HTTP,
    description: 'Base URL of the OpenTelemetry collector (OTLP over HTTP, JSON, at `/v1/traces`)',
  }),
  traceSampleRatio: variable.parsed<number>('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    write: '1',
    kind: 'number, 0 to 1',
    description: 'Share of traces kept, unless the caller’s `traceparent` decides',
    parse(text) {
      const share = Number(text);
      if (!/^[\d.]+$/.test(text) || !(share >= 0 && share <= 1)) {
        throw new Error('must be a number from 0 to 1');
      }
      return share;
    },
  }),
  sponsorKeys: variable.secretList('SPONSOR_KEYS', {
    description:
      'Sponsors’ keys, each base64 of `flag‖key`, bech32 (`iotaprivkey1…`) or the URL of a [key service](operations/key-services.md). The file is [watched](command-line.md#add-a-sponsor)',
  }),
  sponsorKeysFile: variable.fileOf('SPONSOR_KEYS'),
  poolTargetBalance: variable.bigint('POOL_TARGET_BALANCE', {
    default: 100_000_000n,
    min: 10_000n,
    unit: 'smallest unit',
    description:
      'Balance of a new gas coin; below a tenth is dust, from three times on treasury. The same for every coin-pool and executor',
  }),
  historyBacklog: variable.derivedInteger('HISTORY_BACKLOG', {
    min: 0,
    max: 100_000_000,
    unit: 'entries',
    write: `${USUAL_HISTORY_BACKLOG} in history`,
    description:
      'The most entries that each stream in Redis keeps while they cannot be written; a large one counts once for each 2 KiB. What is beyond is counted. 0: nothing is added any more. A coin-pool with it records from the first sponsorship on, before history has started',
  }),
  databaseConnections: variable.integer('DATABASE_CONNECTIONS', {
    default: 10,
    min: 5,
    max: 1_000,
    description: 'The most connections of one replica to its database; half of them answer queries',
  }),
  retentionMs: variable.integer('OUTCOME_RETENTION_MS', {
    default: 600_000,
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    description: 'How long a reservation’s outcome answers retries; afterwards the ledger does',
  }),
};

/**
 * Variables by which services authenticate each other. Spread into the table of every service that talks to
 * another.
 */
export const fleetSecretVariables = {
  fleetSecrets: variable.secretList('FLEET_SECRET', {
    optional: true,
    minLength: 32,
    description:
      'Secret between gateway and coin-pool, history and the index of events. The first is used, all are accepted',
  }),
  allowUnauthenticatedFleet: variable.boolean('ALLOW_UNAUTHENTICATED_FLEET', {
    default: false,
    description:
      'Run without `FLEET_SECRET`: every host that reaches a coin-pool can spend as any caller',
  }),
};

/** Problems of the fleet secret; empty when the service may run. */
export function checkFleetSecret({
  fleetSecrets,
  allowUnauthenticatedFleet,
}: ConfigOf<typeof fleetSecretVariables>): string[] {
  if (fleetSecrets.length > 0 || allowUnauthenticatedFleet) return [];
  return [
    'FLEET_SECRET is not set: any host in the network could act as a service of the fleet. Set the same secret of at least 32 characters for every service, or ALLOW_UNAUTHENTICATED_FLEET=true to run without one',
  ];
}

/** The files of tokens and access rules. */
export const accessVariables = {
  tokensFile: variable.optionalText('TOKENS_FILE', {
    description: 'YAML file with [tokens](access-control.md#tokens), their roles and limits',
  }),
  accessRulesFile: variable.optionalText('ACCESS_RULES_FILE', {
    description: 'YAML file with [access rules](access-control.md#rules)',
  }),
};

/** Variables of the connection to Redis. Spread into the table of every service that needs it. */
export const redisVariables = {
  redisUrls: variable.urls('REDIS_URL', {
    default: 'redis://127.0.0.1:6379',
    protocols: ['redis:', 'rediss:'],
    secret: true,
    description: 'The Redis server, some nodes of a cluster, or the Sentinels',
  }),
  redisMode: variable.choice('REDIS_MODE', {
    values: ['single', 'cluster', 'sentinel'],
    default: 'single',
    description: 'Kind of the servers in `REDIS_URL`',
  }),
  redisSentinelMaster: variable.text('REDIS_SENTINEL_MASTER', {
    default: 'mymaster',
    description: 'The Sentinels’ name of the master',
  }),
  redisSentinelPassword: variable.optionalSecret('SENTINEL_PASSWORD', {
    description: 'Password of the Sentinels; `REDIS_URL` has that of Redis',
  }),
};

/** Problems between the values; empty for a valid configuration. */
export function checkRedis({ redisUrls, redisMode }: ConfigOf<typeof redisVariables>): string[] {
  const [first, ...others] = redisUrls.map((text) => new URL(text));
  const problems: string[] = [];
  if (redisMode === 'single' && others.length > 0) {
    problems.push('REDIS_URL names several servers: set REDIS_MODE to cluster or sentinel');
  }
  if (redisMode === 'cluster' && /^\/[1-9]/.test(first!.pathname)) {
    problems.push('REDIS_URL names a database, but a cluster has only one');
  }
  const access = (url: URL) =>
    [url.protocol, url.username, url.password, url.pathname.replace(/^\/$/, ''), url.search].join(
      ' ',
    );
  if (others.some((other) => access(other) !== access(first!))) {
    problems.push(
      'REDIS_URL names URLs that differ in more than host and port: use the same protocol, user, password and database',
    );
  }
  return problems;
}

export const httpHeadersKind = 'HTTP headers';

/** Addresses of the ledger's nodes and options of calls to them, for every service that calls them. */
export const ledgerVariables = {
  ledgerUrls: variable.urls('LEDGER_URL', {
    default: 'http://127.0.0.1:9000',
    protocols: NODES,
    description:
      'URLs of the nodes that receive transactions, in order of preference: `http(s)://` for JSON-RPC, `grpc(s)://` for gRPC',
  }),
  ledgerReadUrls: variable.optionalUrls('LEDGER_READ_URL', {
    protocols: NODES,
    description: 'URLs of the nodes that serve reads, if they are others',
  }),
  ledgerHeaders: variable.optionalSecretParsed('LEDGER_HEADERS', {
    kind: httpHeadersKind,
    absent: {},
    parse: parseHttpHeaders,
    description: 'Headers of every call to `LEDGER_URL` and `LEDGER_READ_URL`, such as an API key',
  }),
  ledgerTimeoutMs: variable.integer('LEDGER_TIMEOUT_MS', {
    default: 40_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'Time limit of one call to a node; less than 30 s leaves outcomes unknown',
  }),
  ledgerStatusMs: variable.integer('LEDGER_STATUS_MAX_AGE_MS', {
    default: 60_000,
    min: 0,
    max: 3_600_000,
    unit: 'ms',
    description: 'How long epoch and gas price are cached, within an epoch',
  }),
};

/**
 * A submission begins within this time after Redis has confirmed that the coins are bound to its transaction.
 * `ledgerTimeoutMs`: the time limit of a call to a node.
 */
export function submitWithinMs(ledgerTimeoutMs: number): number {
  return ledgerTimeoutMs / 8;
}

/**
 * Duration of a suspension after Redis may have lost writes: longer than any submission whose claim is lost
 * can take to begin and to end, with a quarter to spare.
 */
export function holdMs(ledgerTimeoutMs: number): number {
  return 1.5 * ledgerTimeoutMs;
}
