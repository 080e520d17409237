import {
  type ConfigOf,
  type Environment,
  fleetVariables,
  readConfig,
  variable,
} from '@forecourt/config';
import { parseUpstreams, type UpstreamAddress } from './upstreams/parse-upstreams.js';

export const eventsVariables = {
  host: fleetVariables.host,
  port: variable.port('EVENTS_PORT', { default: 9551, description: 'Port of the events service' }),
  logLevel: fleetVariables.logLevel,
  drainMs: fleetVariables.drainMs,
  ledgerUrl: fleetVariables.ledgerUrl,
  ledgerTimeoutMs: fleetVariables.ledgerTimeoutMs,
  upstreams: variable.parsed<readonly UpstreamAddress[]>('EVENTS_UPSTREAMS', {
    ...{ default: [], write: '`LEDGER_URL`', kind: 'list of URLs' },
    description:
      'Nodes that events come from; the next takes over when one fails. `legacy+http://…` and `iota+http://…` name the dialect; otherwise the node is asked',
    parse: parseUpstreams,
  }),
  legacyPrefix: variable.text('EVENTS_LEGACY_PREFIX', {
    default: 'ledger',
    description: 'What a node of the legacy dialect puts before `_getEvents`',
  }),
  methodAliases: variable.parsed<readonly string[]>('EVENTS_METHOD_ALIASES', {
    ...{ default: [], write: 'none', kind: 'list of prefixes' },
    description: 'Prefixes that the methods are served under besides `ledger`, such as `iota`',
    parse: parsePrefixes,
  }),
  maxConnections: variable.integer('EVENTS_MAX_CONNECTIONS', {
    ...{ default: 10_000, min: 1, max: 1_000_000 },
    description: 'WebSockets at once; more are refused with 503',
  }),
  maxSubscriptions: variable.integer('EVENTS_MAX_SUBSCRIPTIONS', {
    ...{ default: 100_000, min: 1, max: 10_000_000 },
    description: 'Subscriptions at once in this process',
  }),
  maxSubscriptionsPerConnection: variable.integer('EVENTS_MAX_SUBSCRIPTIONS_PER_CONNECTION', {
    ...{ default: 1_024, min: 1, max: 1_000_000 },
    description: 'Subscriptions at once on one connection',
  }),
  maxBufferedBytes: variable.integer('EVENTS_MAX_BUFFERED_BYTES', {
    ...{ default: 1_048_576, min: 65_536, max: 268_435_456, unit: 'bytes' },
    description: 'A client that has left more unread is told so, and its subscriptions end',
  }),
  maxPendingCalls: variable.integer('EVENTS_MAX_PENDING_CALLS', {
    ...{ default: 32, min: 1, max: 10_000 },
    description: 'Calls of one connection that are worked on at once',
  }),
  maxBatch: variable.integer('EVENTS_MAX_BATCH', {
    ...{ default: 50, min: 1, max: 1_000 },
    description: 'Calls in one JSON-RPC batch',
  }),
  maxFilterDepth: variable.integer('EVENTS_MAX_FILTER_DEPTH', {
    ...{ default: 16, min: 1, max: 100 },
    description: 'Nesting of a filter',
  }),
  maxFilterSize: variable.integer('EVENTS_MAX_FILTER_SIZE', {
    ...{ default: 1_000, min: 1, max: 100_000 },
    description: 'Attribute filters and combinators in one filter',
  }),
  bodyLimitBytes: variable.integer('EVENTS_BODY_LIMIT_BYTES', {
    ...{ default: 1_048_576, min: 1_024, max: 67_108_864, unit: 'bytes' },
    description: 'Largest request body and WebSocket message',
  }),
  pingIntervalMs: variable.integer('EVENTS_PING_INTERVAL_MS', {
    ...{ default: 30_000, min: 100, max: 600_000, unit: 'ms' },
    description: 'How often a client is pinged; one that has not answered by the next is gone',
  }),
};

export type EventsConfig = ConfigOf<typeof eventsVariables>;

/** Throws `ConfigError` naming every problem. */
export function readEventsConfig(environment: Environment = process.env): EventsConfig {
  return readConfig(eventsVariables, environment);
}

function parsePrefixes(text: string): readonly string[] {
  const prefixes = text.split(/[,\s]+/).filter((part) => part !== '');
  if (!prefixes.every((prefix) => /^[A-Za-z][A-Za-z0-9]*$/.test(prefix))) {
    throw new Error('must be a list of words such as iota,sui');
  }
  return prefixes;
}
