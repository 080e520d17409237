import { gatewayLimits } from '@forecourt/resilience';
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

export const gatewayVariables = {
  host: fleetVariables.host,
  publicUrl: variable.parsed<string>('PUBLIC_URL', {
    default: '/',
    write: '`/`',
    kind: 'URL',
    description:
      'Address at which clients reach the gateways, which `/openapi.json` names; its [path](operations/deployment.md#below-a-path) is that of the console too',
    parse: parsePublicUrl,
  }),
  port: variable.port('GATEWAY_PORT', { default: 9527, description: 'Port of the HTTP API' }),
  metricsPort: variable.port('GATEWAY_METRICS_PORT', {
    default: 9184,
    description: 'Port of `/metrics`',
  }),
  compatibilityPort: variable.parsed<number | null>('GATEWAY_COMPATIBILITY_PORT', {
    default: null,
    write: 'none',
    kind: 'port',
    description: 'Port for [clients of public gas stations](compatibility.md)',
    parse: parsePort,
  }),
  compatibleCoinVersions: variable.choice('GATEWAY_COMPATIBILITY_COIN_VERSIONS', {
    default: 'integer',
    values: coinVersionForms,
    description:
      'Type of `version` in `gas_coins` at the [compatibility port](compatibility.md#clients)',
  }),
  logLevel: fleetVariables.logLevel,
  drainMs: fleetVariables.drainMs,
  tokens: variable.secretList('GAS_STATION_AUTH', {
    optional: true,
    description: 'Bearer tokens of one caller; several allow a change without downtime',
  }),
  allowUnauthenticated: variable.boolean('ALLOW_UNAUTHENTICATED', {
    default: false,
    description: 'Serve without tokens: anybody can spend the sponsor’s coins',
  }),
  traceEndpoint: fleetVariables.traceEndpoint,
  traceSampleRatio: fleetVariables.traceSampleRatio,
  ...fleetSecretVariables,
  ...redisVariables,
  ...ledgerVariables,
  coinPools: variable.endpoints('COIN_POOL_ENDPOINTS', {
    default: '127.0.0.1:9531',
    description: 'Replicas of coin-pool',
  }),
  coinPoolTimeoutMs: variable.fixed(5_000),
  historyEndpoints: variable.endpoints('HISTORY_ADDRESS', {
    default: '',
    description: 'Replicas of [history](history.md); without it, its routes answer 501',
  }),
  historyTimeoutMs: variable.fixed(15_000),
  eventsEndpoints: variable.endpoints('EVENTS_ENDPOINTS', {
    default: '127.0.0.1:9551',
    description: 'Replicas of the events service',
  }),
  eventsTimeoutMs: variable.fixed(60_000),
  rpcNeedsToken: variable.boolean('RPC_NEEDS_TOKEN', {
    default: false,
    description: 'Require a bearer token at `/rpc` too',
  }),
  allowAbstractAccounts: variable.boolean('ALLOW_ABSTRACT_ACCOUNTS', {
    default: false,
    description:
      'Sponsor [abstract accounts](http-api.md#abstract-accounts), which only the ledger can verify, without a rule that allows them',
  }),
  trustedProxies: variable.networks('TRUSTED_PROXIES', {
    default: '',
    description: 'Balancers whose `X-Forwarded-For` names the client',
  }),
  ...accessVariables,
  hookSecret: variable.optionalSecret('ACCESS_HOOK_SECRET', {
    description: 'Key that signs requests to [hooks](access-control.md#hooks)',
  }),
  accessAuditFile: variable.optionalText('ACCESS_AUDIT_FILE', {
    description:
      'File of the [access audit](access-control.md#audit-log); by default it goes to the log',
  }),
  accessAuditRequired: variable.boolean('ACCESS_AUDIT_REQUIRED', {
    default: false,
    description:
      'Sponsor no transaction while the access audit cannot be written: callers get 503. By default sponsoring goes on, and an alert fires',
  }),
  ...limitVariables(gatewayLimits),
  dryRun: variable.choice('DRY_RUN', {
    default: 'doubtful',
    values: ['never', 'doubtful', 'always'],
    description:
      'Transactions to dry-run before the claim; `doubtful`: those that look-ups cannot decide',
  }),
  executeWaitMs: variable.integer('EXECUTE_WAIT_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'How long an execute request waits before it gets 503',
  }),
  requestTimeoutMs: variable.fixed(30_000),
  corsOrigins: variable.parsed<readonly string[]>('CORS_ORIGINS', {
    default: [],
    write: 'none',
    kind: 'list of origins, or `*`',
    description:
      'Origins whose pages may call `/v1` and `/version`, such as `https://app.example.com`. A token in a page is public',
    parse: parseOrigins,
  }),
  explorerUrl: variable.parsed<string | null>('EXPLORER_URL', {
    default: null,
    write: 'none',
    kind: 'URL',
    description:
      'Address of a transaction in an explorer, with `{digest}` in its place, which the [console](console.md) links to',
    parse: parseExplorerUrl,
  }),
  buildCommit: fleetVariables.buildCommit,
};

function parseExplorerUrl(text: string): string {
  const isUrl = /^https?:\/\/[^\s"'<>]+$/.test(text) && URL.canParse(text.replace('{digest}', '1'));
  if (isUrl && text.includes('{digest}')) return text;
  throw new Error('must be an http or https URL with {digest} in it');
}

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

/**
 * The public address of the gateways, without a trailing slash. Throws `Error` with the rule that it breaks.
 */
function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isAddress) {
    throw new Error(
      'must be an http(s) URL without user, query and fragment, such as https://gas.example.com',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
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
