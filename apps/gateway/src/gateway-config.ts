import {
  accessVariables,
  checkFleetSecret,
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  readConfig,
  redisVariables,
  variable,
} from '@forecourt/runtime/config';
import { dryRunModes } from './executions/dry-run-mode.js';

export const gatewayVariables = {
  host: fleetVariables.host,
  port: variable.port('GATEWAY_PORT', { default: 9527, description: 'Port of the HTTP API' }),
  metricsPort: variable.port('GATEWAY_METRICS_PORT', {
    default: 9184,
    description: 'Port of the gateway’s `/metrics`, which is not served on its public one',
  }),
  logLevel: fleetVariables.logLevel,
  drainMs: fleetVariables.drainMs,
  tokens: variable.secretList('GAS_STATION_AUTH', {
    optional: true,
    description:
      'Bearer tokens; several are one caller, so that a token can be changed while the old one still serves',
  }),
  allowUnauthenticated: variable.boolean('ALLOW_UNAUTHENTICATED', {
    default: false,
    description:
      'Serve without tokens when none is configured: anybody may spend the sponsor’s coins',
  }),
  traceEndpoint: fleetVariables.traceEndpoint,
  traceSampleRatio: fleetVariables.traceSampleRatio,
  ...fleetSecretVariables,
  ...redisVariables,
  ledgerUrl: fleetVariables.ledgerUrl,
  ledgerReadUrl: fleetVariables.ledgerReadUrl,
  ledgerTimeoutMs: fleetVariables.ledgerTimeoutMs,
  coinPools: variable.endpoints('COIN_POOL_ENDPOINTS', {
    default: '127.0.0.1:9531',
    description: 'The coin-pool’s replicas; requests are spread over them',
  }),
  coinPoolTimeoutMs: variable.integer('COIN_POOL_TIMEOUT_MS', {
    default: 5_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    description: 'Time limit of one message to a coin-pool',
  }),
  eventsEndpoints: variable.endpoints('EVENTS_ENDPOINTS', {
    default: '127.0.0.1:9551',
    description: 'The events service’s replicas, which answer `/rpc`',
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
    description: 'Ask for a bearer token at `/rpc` too',
  }),
  trustedProxies: variable.networks('TRUSTED_PROXIES', {
    default: '',
    description:
      'Balancers in front of the gateways: they are believed when `X-Forwarded-For` names the client whose limits at `/rpc` a request counts for',
  }),
  rpcRequestsPerSecond: variable.integer('RPC_REQUESTS_PER_SECOND', {
    default: 200,
    min: 1,
    max: 1_000_000,
    description:
      'Requests and WebSockets at `/rpc` of one client address in the long run; ten seconds’ worth at once. More get 429',
  }),
  maxRpcRequestsPerClient: variable.integer('MAX_RPC_REQUESTS_PER_CLIENT', {
    default: 64,
    min: 1,
    max: 1_000_000,
    description: 'Requests at `/rpc` of one client address at once; more get 429',
  }),
  maxRpcRequests: variable.integer('MAX_RPC_REQUESTS', {
    default: 1_024,
    min: 1,
    max: 1_000_000,
    description: 'Requests at `/rpc` at once; more get 429',
  }),
  maxRpcSocketsPerClient: variable.integer('MAX_RPC_SOCKETS_PER_CLIENT', {
    default: 256,
    min: 1,
    max: 1_000_000,
    description: 'WebSockets at `/rpc` of one client address at once; more get 429',
  }),
  maxRpcSockets: variable.integer('MAX_RPC_SOCKETS', {
    default: 20_000,
    min: 1,
    max: 1_000_000,
    description: 'WebSockets at `/rpc` at once; more get 429',
  }),
  ...accessVariables,
  watchAccessFiles: variable.boolean('WATCH_ACCESS_FILES', {
    default: true,
    description: 'Read tokens and rules again when one of their files changes',
  }),
  hookSecret: variable.optionalSecret('ACCESS_HOOK_SECRET', {
    description: 'Signs the requests to hooks, so that a hook knows who asks',
  }),
  accessAuditFile: variable.optionalText('ACCESS_AUDIT_FILE', {
    description:
      'File that every decision of the access rules is appended to, as a line of JSON; without it they go to the log',
  }),
  reserveMaxPoolShare: variable.integer('RESERVE_MAX_POOL_SHARE', {
    default: 50,
    min: 1,
    max: 100,
    unit: '%',
    description:
      'Share that one caller may hold, reserved or in flight, of the coins that no other caller holds; more get 429. Alone it has this share of the pool, and some are always left for others. 100 where there is one caller only. A token’s `reserve` may say otherwise, here and below',
  }),
  reserveMaxCoins: variable.integer('RESERVE_MAX_COINS', {
    default: 10_000,
    min: 1,
    max: 10_000_000,
    description: 'Coins that one caller may hold at once',
  }),
  reserveMaxBudget: variable.integer('RESERVE_MAX_BUDGET', {
    default: 1_000_000_000_000,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'smallest unit',
    description: 'Sum of the gas budgets that one caller may hold at once',
  }),
  quarantineMax: variable.integer('QUARANTINE_MAX', {
    default: 20,
    min: 1,
    max: 1_000,
    description:
      'Transactions of one caller that may end in quarantine, where they hold coins until the epoch ends, in a window of time; then its executions get 429. A token’s `quarantine` may say otherwise',
  }),
  quarantineWindowSecs: variable.integer('QUARANTINE_WINDOW_SECS', {
    default: 600,
    min: 1,
    max: 86_400,
    unit: 's',
    description: 'Length of that window',
  }),
  maxReservations: variable.integer('MAX_RESERVATIONS_AT_ONCE', {
    default: 1_000,
    min: 1,
    max: 1_000_000,
    description: 'Requests for a reservation that this gateway works on at once; more get 503',
  }),
  maxExecutions: variable.integer('MAX_EXECUTIONS_AT_ONCE', {
    default: 5_000,
    min: 1,
    max: 1_000_000,
    description: 'Executions that this gateway works on or waits for at once; more get 503',
  }),
  maxQueued: variable.integer('MAX_QUEUED_EXECUTIONS', {
    default: 10_000,
    min: 1,
    max: 10_000_000,
    description:
      'Executions that may wait for an executor in the whole fleet; new ones get 503 then',
  }),
  maxRefusedExecutions: variable.integer('MAX_REFUSED_EXECUTIONS_PER_MINUTE', {
    default: 300,
    min: 1,
    max: 1_000_000,
    description:
      'Transactions of one caller that look-ups at the ledger or dry runs may refuse in a minute, in the whole fleet; what it executes beyond that gets 429',
  }),
  dryRun: variable.choice('DRY_RUN', {
    default: 'doubtful',
    values: dryRunModes,
    description:
      'Which transactions are dry-run before they are claimed; `doubtful`: those that look-ups cannot judge, such as Publish, Upgrade and received objects',
  }),
  maxGasPriceRatio: variable.integer('MAX_GAS_PRICE_RATIO', {
    default: 5,
    min: 1,
    max: 1_000_000,
    description:
      'How many times the reference gas price a transaction may pay, unless an access rule allows more',
  }),
  executeWaitMs: variable.integer('EXECUTE_WAIT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'How long execute waits for an outcome before it answers that none is known yet',
  }),
  bodyLimitBytes: variable.integer('BODY_LIMIT_BYTES', {
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    unit: 'bytes',
    description: 'Largest request body',
  }),
  requestTimeoutMs: variable.integer('REQUEST_TIMEOUT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'How long a request may take to arrive whole; then it is answered 408',
  }),
  bareText: variable.boolean('BARE_TEXT_ANSWERS', {
    default: false,
    description: 'Answer `GET /` and `GET /version` as bare text to everybody',
  }),
  buildCommit: variable.optionalText('BUILD_COMMIT', {
    description: 'Commit of the build, for `GET /version`; by default asked of git',
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
