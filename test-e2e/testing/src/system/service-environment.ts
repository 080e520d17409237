import type { SystemOptions } from './system-options.js';
import type { RedisUser } from '../redis-users/read-users-template.js';

/** Settings that the services of one system share. */
export interface SystemFacts {
  /** The token of a user with all permissions. */
  readonly redisUrl: string;
  /** The same Redis, with the user of each service. */
  readonly redisUrlOf: (service: RedisUser) => string;
  /** JSON-RPC of the node, for tests and tools. */
  readonly ledgerUrl: string;
  /** The same node as the services use it: over JSON-RPC or gRPC. */
  readonly nodeUrl: string;
  /** Keys of the sponsors, bech32 or base64. */
  readonly sponsorSecrets: readonly string[];
  /** The file that holds them, from which the services read them; null: no file. */
  readonly sponsorKeysFile: string | null;
  readonly tokens: readonly string[];
  /** The fleet secret. */
  readonly fleetSecret: string;
  /** The database of history; null: no history is kept. */
  readonly databaseUrl: string | null;
}

/** The variables of services with a sponsor's key. */
function signerEnvironment(facts: SystemFacts, service: RedisUser): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrlOf(service),
    LEDGER_URL: facts.nodeUrl,
    ...(facts.sponsorKeysFile === null
      ? { SPONSOR_KEYS: facts.sponsorSecrets.join(',') }
      : { SPONSOR_KEYS_FILE: facts.sponsorKeysFile }),
  };
}

/** The variables of a coin-pool, also read by the audit. */
export function coinPoolEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return { ...signerEnvironment(facts, 'coin-pool'), FLEET_SECRET: facts.fleetSecret };
}

/** The variables of an executor. */
export function executorEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return signerEnvironment(facts, 'executor');
}

/** The variables of history. */
export function historyEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrlOf('history'),
    FLEET_SECRET: facts.fleetSecret,
    DATABASE_URL: facts.databaseUrl ?? '',
  };
}

/** The variables of the events service. */
export function eventsEnvironment(
  { nodeUrl, databaseUrl, fleetSecret }: SystemFacts,
  { eventIndex = false }: SystemOptions,
): NodeJS.ProcessEnv {
  return {
    LEDGER_URL: nodeUrl,
    FLEET_SECRET: fleetSecret,
    ...(eventIndex && {
      EVENTS_DATABASE_URL: databaseUrl ?? '',
      // The ledger of a private devnet is short.
      EVENTS_INDEX_FROM: 'lowest',
    }),
  };
}

/** Where a gateway finds the other services: lists of `host:port`. */
export interface ServiceEndpoints {
  readonly coinPools: readonly string[];
  readonly events: readonly string[];
  readonly history: readonly string[];
}

/** The variables of a gateway. */
export function gatewayEnvironment(
  facts: SystemFacts,
  { coinPools, events, history }: ServiceEndpoints,
): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrlOf('gateway'),
    LEDGER_URL: facts.nodeUrl,
    GAS_STATION_AUTH: facts.tokens.join(','),
    FLEET_SECRET: facts.fleetSecret,
    COIN_POOL_ENDPOINTS: coinPools.join(','),
    ...(events.length > 0 && { EVENTS_ENDPOINTS: events.join(',') }),
    ...(history.length > 0 && { HISTORY_ADDRESS: history.join(',') }),
  };
}
