import { eventsLimits } from '@forecourt/resilience';
import {
  type ConfigOf,
  type Environment,
  fleetSecretVariables,
  fleetVariables,
  httpHeadersKind,
  ledgerVariables,
  limitVariables,
  parseDatabaseUrl,
  parseHttpHeaders,
  parseUrl,
  readConfig,
  variable,
} from '@forecourt/runtime/config';

/** Where the index begins: `tip`, `lowest` (the lowest checkpoint that the node has), or a checkpoint. */
export type IndexFrom = 'tip' | 'lowest' | number;

export type Dialect = 'legacy' | 'iota' | 'grpc';

export interface UpstreamAddress {
  /** Null: detected by a query to the node. */
  readonly dialect: Dialect | null;
  /** `http:` or `https:`; for the dialect `grpc`, `grpc:` or `grpcs:`. */
  readonly url: string;
}

const ADDRESS = /^(?:(?<dialect>legacy|iota)\+)?(?<url>https?:\/\/.+)$|^(?<grpc>grpcs?:\/\/.+)$/;

export const eventsVariables = {
  host: fleetVariables.host,
  port: variable.port('EVENTS_PORT', { default: 9551, description: 'Port of the events service' }),
  logLevel: fleetVariables.logLevel,
  buildCommit: fleetVariables.buildCommit,
  drainMs: fleetVariables.drainMs,
  ledgerUrls: ledgerVariables.ledgerUrls,
  ledgerHeaders: ledgerVariables.ledgerHeaders,
  ledgerTimeoutMs: ledgerVariables.ledgerTimeoutMs,
  upstreams: variable.parsed<readonly UpstreamAddress[]>('EVENTS_UPSTREAMS', {
    default: [],
    write: '`LEDGER_URL`',
    kind: 'list of URLs',
    description:
      '[Nodes](events.md#upstream-nodes) that events come from, in order of preference. `legacy+`, `iota+` or `grpc://` in a URL names the dialect',
    parse: parseUpstreams,
  }),
  upstreamHeaders: variable.optionalSecretParsed('EVENTS_UPSTREAM_HEADERS', {
    kind: httpHeadersKind,
    absent: {},
    parse: parseHttpHeaders,
    description: 'Headers of every call to the nodes of `EVENTS_UPSTREAMS`',
  }),
  legacyPrefix: variable.fixed('ledger'),
  methodAliases: variable.parsed<readonly string[]>('EVENTS_METHOD_ALIASES', {
    default: [],
    write: 'none',
    kind: 'list of prefixes',
    description: 'Method prefixes besides `ledger`, such as [`sui`](events.md#method-aliases)',
    parse: parsePrefixes,
  }),
  trustedGateways: variable.networks('EVENTS_TRUSTED_GATEWAYS', {
    default: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
    description: 'Addresses of gateways, which may name the client of a request',
  }),
  fleetSecrets: fleetSecretVariables.fleetSecrets,
  pingIntervalMs: variable.integer('EVENTS_PING_INTERVAL_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description: 'Interval of pings; clients must respond before the next',
  }),
  databaseUrl: databaseUrlVariable(
    'EVENTS_DATABASE_URL',
    'The PostgreSQL database of the [index](events.md#the-index), without which all queries go to the nodes: release 15 or later, with user and password; the index has its own schema, `events`',
  ),
  databaseReadUrl: databaseUrlVariable(
    'EVENTS_DATABASE_READ_URL',
    'A read replica of that database. It is read while it has everything that a client may have seen',
  ),
  databaseConnections: fleetVariables.databaseConnections,
  indexFrom: variable.parsed<IndexFrom>('EVENTS_INDEX_FROM', {
    default: 'tip',
    write: '`tip`',
    kind: '`tip`, `lowest` or the number of a checkpoint',
    description:
      'Where a new index begins: with the newest checkpoint, the lowest that the node has, or this one',
    parse: parseIndexFrom,
  }),
  backfillWorkers: variable.integer('EVENTS_INDEX_BACKFILL', {
    default: 2,
    min: 0,
    max: 32,
    description: 'Ranges of past checkpoints that are read at a time; 0: holes are not filled',
  }),
  retentionDays: variable.integer('EVENTS_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description: 'How long the index keeps events; 0: forever',
  }),
  ...limitVariables(eventsLimits),
};

function databaseUrlVariable(name: string, description: string) {
  return variable.optionalSecretParsed<string>(name, {
    kind: 'URL',
    absent: '',
    parse: parseDatabaseUrl,
    description,
  });
}

export type EventsConfig = ConfigOf<typeof eventsVariables>;

/** Throws `ConfigError` naming every problem. */
export function readEventsConfig(environment: Environment = process.env): EventsConfig {
  return readConfig(eventsVariables, environment, ({ databaseUrl, databaseReadUrl }) =>
    databaseReadUrl !== '' && databaseUrl === ''
      ? ['EVENTS_DATABASE_READ_URL needs EVENTS_DATABASE_URL, which is not set']
      : [],
  );
}

function parseIndexFrom(text: string): IndexFrom {
  if (text === 'tip' || text === 'lowest') return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error('must be tip, lowest or the number of a checkpoint');
}

/** Leaves out `ledger`, which is not an alias: its methods keep the specification's form. */
function parsePrefixes(text: string): readonly string[] {
  const prefixes = text.split(/[,\s]+/).filter((part) => part !== '');
  if (!prefixes.every((prefix) => /^[A-Za-z][A-Za-z0-9]*$/.test(prefix))) {
    throw new Error('must be a list of method prefixes, such as iota,sui');
  }
  return prefixes.filter((prefix) => prefix !== 'ledger');
}

/** The address of a node of `LEDGER_URL`. */
export function addressOf(url: string): UpstreamAddress {
  return { dialect: url.startsWith('grpc') ? 'grpc' : null, url };
}

/** Parses `legacy+http://…,iota+https://…,http://…,grpc://…`. Throws `Error` with the required format. */
function parseUpstreams(text: string): readonly UpstreamAddress[] {
  return text
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const { dialect, url, grpc } = ADDRESS.exec(part)?.groups ?? {};
      const address = url ?? grpc;
      if (address === undefined) {
        throw new Error(
          'must be a list of http(s) URLs, each optionally prefixed with legacy+ or iota+, and of grpc(s) URLs',
        );
      }
      parseUrl(address, ['http:', 'https:', 'grpc:', 'grpcs:']);
      return { ...addressOf(address), ...(dialect && { dialect: dialect as Dialect }) };
    });
}
