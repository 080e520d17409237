import {
  type ConfigOf,
  type Environment,
  fleetVariables,
  httpHeadersKind,
  ledgerVariables,
  parseHttpHeaders,
  readConfig,
  variable,
} from '@forecourt/runtime/config';
import { fixedLimits, limitVariables } from './limits.js';

export type Dialect = 'legacy' | 'iota';

export interface UpstreamAddress {
  /** Null: detected by a query to the node. */
  readonly dialect: Dialect | null;
  /** `http:` or `https:`. */
  readonly url: string;
}

const ADDRESS = /^(?:(?<dialect>legacy|iota)\+)?(?<url>https?:\/\/.+)$/;

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
      'Ledger nodes that events come from, in order of preference; when one fails, the next is used. `legacy+http://…` and `iota+http://…` name the dialect; otherwise it is detected',
    parse: parseUpstreams,
  }),
  upstreamHeaders: variable.optionalSecretParsed('EVENTS_UPSTREAM_HEADERS', {
    kind: httpHeadersKind,
    absent: {},
    parse: parseHttpHeaders,
    description:
      'Headers of every call to the nodes of `EVENTS_UPSTREAMS`, such as an API key. Without `EVENTS_UPSTREAMS`, events come from `LEDGER_URL` with `LEDGER_HEADERS`',
  }),
  legacyPrefix: variable.text('EVENTS_LEGACY_PREFIX', {
    default: 'ledger',
    description: 'Prefix of `_getEvents` on nodes of the legacy dialect',
  }),
  methodAliases: variable.parsed<readonly string[]>('EVENTS_METHOD_ALIASES', {
    default: [],
    write: 'none',
    kind: 'list of prefixes',
    description:
      'Additional method prefixes besides `ledger`, such as `sui`, for [existing programs](events.md#method-aliases)',
    parse: parsePrefixes,
  }),
  ...limitVariables,
};

export type EventsConfig = ConfigOf<typeof eventsVariables> & typeof fixedLimits;

/** Throws `ConfigError` naming every problem. */
export function readEventsConfig(environment: Environment = process.env): EventsConfig {
  return { ...fixedLimits, ...readConfig(eventsVariables, environment) };
}

/** Leaves out `ledger`, which is not an alias: its methods keep the specification's form. */
function parsePrefixes(text: string): readonly string[] {
  const prefixes = text.split(/[,\s]+/).filter((part) => part !== '');
  if (!prefixes.every((prefix) => /^[A-Za-z][A-Za-z0-9]*$/.test(prefix))) {
    throw new Error('must be a list of method prefixes, such as iota,sui');
  }
  return prefixes.filter((prefix) => prefix !== 'ledger');
}

/** Parses `legacy+http://…,iota+https://…,http://…`. Throws `Error` with the required format. */
function parseUpstreams(text: string): readonly UpstreamAddress[] {
  return text
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const found = ADDRESS.exec(part)?.groups;
      if (!found || !URL.canParse(found['url']!)) {
        throw new Error(
          'must be a list of http(s) URLs, each optionally prefixed with legacy+ or iota+',
        );
      }
      return { dialect: (found['dialect'] as Dialect | undefined) ?? null, url: found['url']! };
    });
}
