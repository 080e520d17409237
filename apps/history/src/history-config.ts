import {
  accessVariables,
  checkFleetSecret,
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  parseDatabaseUrl,
  readConfig,
  redisVariables,
  USUAL_HISTORY_BACKLOG,
  variable,
} from '@forecourt/runtime/config';

export const historyVariables = {
  host: fleetVariables.host,
  port: variable.port('HISTORY_PORT', {
    default: 9561,
    description: 'TCP port for messages of gateways',
  }),
  healthPort: variable.port('HISTORY_HEALTH_PORT', {
    default: 9562,
    description: 'Port of the probes',
  }),
  logLevel: fleetVariables.logLevel,
  buildCommit: fleetVariables.buildCommit,
  ...fleetSecretVariables,
  ...redisVariables,
  drainMs: fleetVariables.drainMs,
  databaseUrl: variable.optionalSecretParsed<string>('DATABASE_URL', {
    kind: 'URL',
    absent: '',
    parse: parseDatabaseUrl,
    description: 'The PostgreSQL database, release 15 or later, with user and password; required',
  }),
  databaseConnections: fleetVariables.databaseConnections,
  historyBacklog: fleetVariables.historyBacklog,
  retentionDays: variable.integer('HISTORY_RETENTION_DAYS', {
    default: 90,
    max: 3_650,
    unit: 'days',
    description: 'How long sponsorships and refusals are kept',
  }),
  usageRetentionDays: variable.integer('USAGE_RETENTION_DAYS', {
    default: 3_650,
    max: 36_500,
    unit: 'days',
    description: 'How long sums of usage are kept; at least `HISTORY_RETENTION_DAYS`',
  }),
  transactionDays: variable.integer('HISTORY_TRANSACTION_DAYS', {
    default: 14,
    min: 0,
    max: 3_650,
    unit: 'days',
    description:
      'How long transactions are kept for [replays](access-control.md#try-a-change-on-past-traffic), besides today; at most `HISTORY_RETENTION_DAYS`',
  }),
  tokensFile: accessVariables.tokensFile,
  webhookAllowedHosts: variable.parsed<readonly string[]>('WEBHOOK_ALLOWED_HOSTS', {
    default: [],
    write: 'none',
    kind: 'list of hosts, each with an optional port',
    description:
      'Receivers of [webhooks](webhooks.md#addresses) that need not be public, and may use http',
    parse: parseHosts,
  }),
  batch: variable.fixed(500),
  gatherMs: variable.fixed(500),
  claimAfterMs: variable.fixed(15_000),
};

function parseHosts(text: string): readonly string[] {
  return text.split(/[\s,]+/).map((host) => {
    const url = URL.parse(`http://${host}`);
    if (url?.pathname === '/' && url.username === '' && !/[/?#]/.test(host)) return host;
    throw new Error(`must be a list of hosts such as hooks.internal:8443, not ${host}`);
  });
}

export type HistoryConfig = ConfigOf<typeof historyVariables> & {
  /** The most entries of each stream; 0: none. */
  readonly backlog: number;
};

/** Injection token of `HistoryConfig`. */
export const HISTORY_CONFIG = Symbol('HISTORY_CONFIG');

/** Throws `ConfigError` naming every problem. */
export function readHistoryConfig(environment: Environment = process.env): HistoryConfig {
  const config = readConfig(historyVariables, environment, (config) => {
    const { databaseUrl, retentionDays, usageRetentionDays } = config;
    const isShorter = `USAGE_RETENTION_DAYS (${usageRetentionDays}) must not be below HISTORY_RETENTION_DAYS (${retentionDays})`;
    return [
      ...checkRedis(config),
      ...checkFleetSecret(config),
      ...(databaseUrl === '' ? ['DATABASE_URL is not set: history is kept in PostgreSQL'] : []),
      ...(usageRetentionDays < retentionDays ? [isShorter] : []),
    ];
  });
  return { ...config, backlog: config.historyBacklog ?? USUAL_HISTORY_BACKLOG };
}
