import { parseHttpHeaders } from './parse-value.js';
import type { ConfigOf } from './read-config.js';
import { variable } from './variable.js';

const HTTP = ['http:', 'https:'] as const;
/** JSON-RPC and gRPC. */
const NODES = [...HTTP, 'grpc:', 'grpcs:'] as const;

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
    description:
      'Commit of the build, for `GET /version` and the list of replicas; by default taken from Git',
  }),
  drainMs: variable.integer('SHUTDOWN_DRAIN_MS', {
    default: 5_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'How long a stopping service keeps serving with its readiness off, so that balancers stop sending requests; then it has 20 s to finish',
  }),
  traceEndpoint: variable.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: HTTP,
    description:
      'Base URL of the OpenTelemetry collector for traces (OTLP over HTTP, JSON, at `/v1/traces`); without it tracing is off',
  }),
  traceSampleRatio: variable.parsed<number>('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    write: '1',
    kind: 'number, 0 to 1',
    description: 'Share of the traces that are kept, unless the caller’s `traceparent` decides',
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
      'Keys of the sponsors, each base64 of `flag‖key` or bech32 (`iotaprivkey1…`). The file is read again when it changes, without a restart ([keys](operations/actions.md#add-a-sponsor))',
  }),
  sponsorKeysFile: variable.fileOf('SPONSOR_KEYS'),
  poolTargetBalance: variable.bigint('POOL_TARGET_BALANCE', {
    default: 100_000_000n,
    min: 10_000n,
    unit: 'smallest unit',
    description:
      'Balance of a new gas coin; a smaller coin than a tenth of it is dust, one of three times it or more is treasury. Must be the same for every coin-pool and executor',
  }),
  retentionMs: variable.integer('OUTCOME_RETENTION_MS', {
    default: 600_000,
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    description:
      'How long the outcome of a reservation is kept to answer retries; later retries are answered from the ledger',
  }),
};

/** Variables by which services authenticate each other. Spread into the table of every service that talks to another. */
export const fleetSecretVariables = {
  fleetSecrets: variable.secretList('FLEET_SECRET', {
    optional: true,
    minLength: 32,
    description:
      'Secret by which the services of one fleet authenticate each other. The first is used and all are accepted, so that it can be changed without downtime',
  }),
  allowUnauthenticatedFleet: variable.boolean('ALLOW_UNAUTHENTICATED_FLEET', {
    default: false,
    description:
      'Run without `FLEET_SECRET`: every host that reaches a coin-pool over the network can reserve and spend as any caller',
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
    description: 'YAML file with further tokens, each with its hash, role and limits',
  }),
  accessRulesFile: variable.optionalText('ACCESS_RULES_FILE', {
    description: 'YAML file with the access rules',
  }),
};

/** Variables of the connection to Redis. Spread into the table of every service that needs it. */
export const redisVariables = {
  redisUrls: variable.urls('REDIS_URL', {
    default: 'redis://127.0.0.1:6379',
    protocols: ['redis:', 'rediss:'],
    secret: true,
    description:
      'The Redis with coins, reservations and the queue; for a cluster some of its nodes, with Sentinels the Sentinels',
  }),
  redisMode: variable.choice('REDIS_MODE', {
    values: ['single', 'cluster', 'sentinel'],
    default: 'single',
    description: 'Kind of the servers in `REDIS_URL`: one server, a Redis Cluster, or Sentinels',
  }),
  redisSentinelMaster: variable.text('REDIS_SENTINEL_MASTER', {
    default: 'mymaster',
    description: 'Name of the master for the Sentinels',
  }),
  redisSentinelPassword: variable.optionalSecret('SENTINEL_PASSWORD', {
    description:
      'Password of the Sentinels themselves; user and password in `REDIS_URL` are for Redis',
  }),
};

/** Problems between the values; empty when there are none. */
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

export const httpHeadersKind = 'HTTP headers: JSON object, or a line `Name: value` each';

/** Addresses of the ledger's nodes and options of calls to them, for every service that calls them. */
export const ledgerVariables = {
  ledgerUrls: variable.urls('LEDGER_URL', {
    default: 'http://127.0.0.1:9000',
    protocols: NODES,
    description:
      'URL of the node that receives transactions: `http(s)://` for JSON-RPC, `grpc://` or `grpcs://` (TLS) for gRPC; several of either kind, separated by commas, in order of preference: the first that responds is used',
  }),
  ledgerReadUrls: variable.optionalUrls('LEDGER_READ_URL', {
    protocols: NODES,
    description:
      'URL of the node that serves reads, if it is another one; several and of either kind as for `LEDGER_URL`',
  }),
  ledgerHeaders: variable.optionalSecretParsed('LEDGER_HEADERS', {
    kind: httpHeadersKind,
    absent: {},
    parse: parseHttpHeaders,
    description:
      'Headers of every call to the nodes of `LEDGER_URL` and `LEDGER_READ_URL`, such as an API key; over gRPC they are metadata',
  }),
  ledgerTimeoutMs: variable.integer('LEDGER_TIMEOUT_MS', {
    default: 40_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description:
      'Time limit of one call to a node; a node waits up to 30 s for finality, so less than that leaves outcomes unknown',
  }),
  ledgerStatusMs: variable.integer('LEDGER_STATUS_MAX_AGE_MS', {
    default: 60_000,
    min: 0,
    max: 3_600_000,
    unit: 'ms',
    description:
      'How long epoch and gas price are cached; never beyond the planned end of the epoch',
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
 * Duration of a suspension after Redis may have lost writes: longer than any submission whose claim is lost can
 * take to begin and to end, with a quarter to spare.
 */
export function holdMs(ledgerTimeoutMs: number): number {
  return 1.5 * ledgerTimeoutMs;
}
