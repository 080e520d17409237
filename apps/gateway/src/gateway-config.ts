import {
  accessVariables,
  checkFleetSecret,
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  ledgerVariables,
  readConfig,
  redisVariables,
  variable,
} from '@forecourt/runtime/config';
import { dryRunModes } from './executions/dry-run-mode.js';
import { parsePublicUrl } from './openapi/parse-public-url.js';

export const gatewayVariables = {
  host: fleetVariables.host,
  publicUrl: variable.parsed<string>('PUBLIC_URL', {
    default: '/',
    write: '`/`',
    kind: 'URL',
    description:
      'Address that clients know the gateways by, which `/openapi.json` names as its server; by default wherever the document is read',
    parse: parsePublicUrl,
  }),
  port: variable.port('GATEWAY_PORT', { default: 9527, description: 'Port of the HTTP API' }),
  metricsPort: variable.port('GATEWAY_METRICS_PORT', {
    default: 9184,
    description: 'Port of the gateway’s `/metrics`, which its public port does not serve',
  }),
  logLevel: fleetVariables.logLevel,
  drainMs: fleetVariables.drainMs,
  tokens: variable.secretList('GAS_STATION_AUTH', {
    optional: true,
    description:
      'Bearer tokens; all of them are one caller, so that a token can be changed without downtime',
  }),
  allowUnauthenticated: variable.boolean('ALLOW_UNAUTHENTICATED', {
    default: false,
    description:
      'Serve without authentication if no token is configured: anybody can spend the sponsor’s coins',
  }),
  traceEndpoint: fleetVariables.traceEndpoint,
  traceSampleRatio: fleetVariables.traceSampleRatio,
  ...fleetSecretVariables,
  ...redisVariables,
  ...ledgerVariables,
  coinPools: variable.endpoints('COIN_POOL_ENDPOINTS', {
    default: '127.0.0.1:9531',
    description: 'Replicas of coin-pool; requests are distributed over them',
  }),
  coinPoolTimeoutMs: variable.integer('COIN_POOL_TIMEOUT_MS', {
    default: 5_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    description: 'Time limit of one message to coin-pool',
  }),
  eventsEndpoints: variable.endpoints('EVENTS_ENDPOINTS', {
    default: '127.0.0.1:9551',
    description: 'Replicas of the events service, which serve `/rpc`',
  }),
  eventsTimeoutMs: variable.integer('EVENTS_TIMEOUT_MS', {
    default: 60_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'Time limit of one query to the events service',
  }),
  rpcNeedsToken: variable.boolean('RPC_NEEDS_TOKEN', {
    default: false,
    description: 'Require a bearer token at `/rpc` too',
  }),
  trustedProxies: variable.networks('TRUSTED_PROXIES', {
    default: '',
    description:
      'Balancers in front of the gateways, whose `X-Forwarded-For` is trusted to name the client for the limits at `/rpc`',
  }),
  rpcRequestsPerSecond: variable.integer('RPC_REQUESTS_PER_SECOND', {
    default: 200,
    description:
      'Rate limit for requests and WebSockets of one client address at `/rpc`, with bursts of ten seconds’ worth; beyond it 429',
  }),
  maxRpcRequestsPerClient: variable.integer('MAX_RPC_REQUESTS_PER_CLIENT', {
    default: 64,
    description: 'Concurrent requests of one client address at `/rpc`; beyond it 429',
  }),
  maxRpcRequests: variable.integer('MAX_RPC_REQUESTS', {
    default: 1_024,
    description: 'Concurrent requests at `/rpc`; beyond it 429',
  }),
  maxRpcSocketsPerClient: variable.integer('MAX_RPC_SOCKETS_PER_CLIENT', {
    default: 256,
    description: 'Concurrent WebSockets of one client address at `/rpc`; beyond it 429',
  }),
  maxRpcSockets: variable.integer('MAX_RPC_SOCKETS', {
    default: 20_000,
    description: 'Concurrent WebSockets at `/rpc`; beyond it 429',
  }),
  ...accessVariables,
  watchAccessFiles: variable.boolean('WATCH_ACCESS_FILES', {
    default: true,
    description: 'Reload tokens and rules when one of their files changes',
  }),
  hookSecret: variable.optionalSecret('ACCESS_HOOK_SECRET', {
    description: 'Key that signs requests to hooks, so that a hook can authenticate them',
  }),
  accessAuditFile: variable.optionalText('ACCESS_AUDIT_FILE', {
    description:
      'File to which every access decision is appended as a line of JSON; by default decisions go to the log',
  }),
  reserveMaxPoolShare: variable.integer('RESERVE_MAX_POOL_SHARE', {
    default: 50,
    max: 100,
    unit: '%',
    description:
      'Share that one caller may hold, reserved or in flight, of the coins that no other caller holds; beyond it 429. A single caller gets this share of the pool, and some coins always remain for others. Use 100 if there is only one caller. A token’s `reserve` overrides this limit and the next two',
  }),
  reserveMaxCoins: variable.integer('RESERVE_MAX_COINS', {
    default: 10_000,
    max: 10_000_000,
    description: 'Coins that one caller may hold at once',
  }),
  reserveMaxBudget: variable.integer('RESERVE_MAX_BUDGET', {
    default: 1_000_000_000_000,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'smallest unit',
    description: 'Sum of the gas budgets that one caller may hold at once',
  }),
  quarantineMax: variable.integer('QUARANTINE_MAX', {
    default: 20,
    max: 1_000,
    description:
      'Transactions of one caller that may end in quarantine, where they bind coins until the epoch ends, within `QUARANTINE_WINDOW_SECS`; beyond it executions get 429. A token’s `quarantine` overrides it',
  }),
  quarantineWindowSecs: variable.integer('QUARANTINE_WINDOW_SECS', {
    default: 600,
    max: 86_400,
    unit: 's',
    description: 'Length of the window of `QUARANTINE_MAX`',
  }),
  maxReservations: variable.integer('MAX_RESERVATIONS_AT_ONCE', {
    default: 1_000,
    description: 'Concurrent reserve requests of this gateway; beyond it 503',
  }),
  maxExecutions: variable.integer('MAX_EXECUTIONS_AT_ONCE', {
    default: 5_000,
    description:
      'Concurrent execute requests of this gateway, including those that wait; beyond it 503',
  }),
  maxQueued: variable.integer('MAX_QUEUED_EXECUTIONS', {
    default: 10_000,
    max: 10_000_000,
    description: 'Executions that may wait for an executor in the whole fleet; beyond it 503',
  }),
  maxRefusedExecutions: variable.integer('MAX_REFUSED_EXECUTIONS_PER_MINUTE', {
    default: 300,
    description:
      'Transactions of one caller that look-ups or dry runs may refuse per minute, in the whole fleet; beyond it executions get 429',
  }),
  dryRun: variable.choice('DRY_RUN', {
    default: 'doubtful',
    values: dryRunModes,
    description:
      'Which transactions are dry-run before they are claimed; `doubtful`: those that look-ups cannot decide, such as Publish, Upgrade and received objects',
  }),
  maxGasPriceRatio: variable.integer('MAX_GAS_PRICE_RATIO', {
    default: 5,
    description:
      'Maximum gas price as a multiple of the reference gas price, unless an access rule allows more',
  }),
  executeWaitMs: variable.integer('EXECUTE_WAIT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'How long an execute request waits for the outcome before it gets 503',
  }),
  bodyLimitBytes: variable.integer('BODY_LIMIT_BYTES', {
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    unit: 'bytes',
    description: 'Maximum size of a request body',
  }),
  requestTimeoutMs: variable.integer('REQUEST_TIMEOUT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'Time limit for receiving a whole request; beyond it 408',
  }),
  bareText: variable.boolean('BARE_TEXT_ANSWERS', {
    default: false,
    description: 'Answer `GET /` and `GET /version` with bare text to every client',
  }),
  buildCommit: variable.optionalText('BUILD_COMMIT', {
    description: 'Commit of the build, for `GET /version`; by default taken from Git',
  }),
};

export type GatewayConfig = ConfigOf<typeof gatewayVariables>;

/** Throws `ConfigError` naming every problem. */
export function readGatewayConfig(environment: Environment = process.env): GatewayConfig {
  return readConfig(gatewayVariables, environment, (config) => [
    ...checkRedis(config),
    ...checkFleetSecret(config),
    ...(config.tokens.length === 0 && config.tokensFile === null && !config.allowUnauthenticated
      ? [
          'GAS_STATION_AUTH is not set: anybody could spend the sponsor’s coins. Set at least one token or TOKENS_FILE, or ALLOW_UNAUTHENTICATED=true to serve openly',
        ]
      : []),
    ...(config.eventsEndpoints.length === 0 ? ['EVENTS_ENDPOINTS names no events service'] : []),
    ...(config.coinPools.length === 0 ? ['COIN_POOL_ENDPOINTS names no coin-pool'] : []),
  ]);
}
