import { gatewayLimits } from '@forecourt/admission';
import {
  accessVariables,
  checkFleetSecret,
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  ledgerVariables,
  limitVariables,
  readConfig,
  redisVariables,
  variable,
} from '@forecourt/runtime/config';
import { coinVersionForms } from './compatibility/dialect.js';
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
  compatibilityPort: variable.parsed<number | null>('GATEWAY_COMPATIBILITY_PORT', {
    default: null,
    write: 'none',
    kind: 'port',
    description:
      'Port of the HTTP API in the dialect of public gas stations, for clients that cannot be changed',
    parse: parsePort,
  }),
  compatibleCoinVersions: variable.choice('GATEWAY_COMPATIBILITY_COIN_VERSIONS', {
    default: 'integer',
    values: coinVersionForms,
    description:
      'How the compatibility port writes `version` in `gas_coins`; with `string`, coins have `object_id` too. [Compatibility](compatibility.md) lists the clients that need it',
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
  coinPoolTimeoutMs: variable.fixed(5_000),
  eventsEndpoints: variable.endpoints('EVENTS_ENDPOINTS', {
    default: '127.0.0.1:9551',
    description: 'Replicas of the events service, which serve `/rpc`',
  }),
  eventsTimeoutMs: variable.fixed(60_000),
  rpcNeedsToken: variable.boolean('RPC_NEEDS_TOKEN', {
    default: false,
    description: 'Require a bearer token at `/rpc` too',
  }),
  trustedProxies: variable.networks('TRUSTED_PROXIES', {
    default: '',
    description:
      'Balancers in front of the gateways, whose `X-Forwarded-For` is trusted to name the client for the limits at `/rpc`',
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
  ...limitVariables(gatewayLimits),
  dryRun: variable.choice('DRY_RUN', {
    default: 'doubtful',
    values: ['never', 'doubtful', 'always'],
    description:
      'Which transactions are dry-run before they are claimed; `doubtful`: those that look-ups cannot decide, such as Publish, Upgrade and received objects',
  }),
  executeWaitMs: variable.integer('EXECUTE_WAIT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'How long an execute request waits for the outcome before it gets 503',
  }),
  requestTimeoutMs: variable.integer('REQUEST_TIMEOUT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'Time limit for receiving a whole request; beyond it 408',
  }),
  corsOrigins: variable.parsed<readonly string[]>('CORS_ORIGINS', {
    default: [],
    write: 'none',
    kind: 'list of origins, or `*`',
    description:
      'Origins whose pages may call `/v1` from a browser, such as `https://app.example.com`. Anybody who can open such a page can read a token in it',
    parse: parseOrigins,
  }),
  buildCommit: fleetVariables.buildCommit,
};

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('must be a port up to 65535');
  return port;
}

function parseOrigins(text: string): readonly string[] {
  return text.split(/[\s,]+/).map((origin) => {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
    if (origin !== '*' && !isOrigin) {
      throw new Error(`must be a list of origins such as https://app.example.com, not ${origin}`);
    }
    return origin;
  });
}

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
