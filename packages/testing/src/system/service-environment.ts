import type { RedisUser } from '../redis-users/read-users-template.js';

/** Settings that the services of one system share. */
export interface SystemFacts {
  /** Of a user who may do everything. */
  readonly redisUrl: string;
  /** The same Redis, as each service reaches it. */
  readonly redisUrlOf: (service: RedisUser) => string;
  readonly ledgerUrl: string;
  /** Keys of the sponsors, bech32 or base64. */
  readonly sponsorSecrets: readonly string[];
  /** The file that holds them, which the services are to read instead; null: there is none. */
  readonly sponsorKeysFile: string | null;
  readonly tokens: readonly string[];
  /** The secret by which the services authenticate each other. */
  readonly fleetSecret: string;
}

/** The variables that the services with a sponsor's key read. */
function signerEnvironment(facts: SystemFacts, service: RedisUser): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrlOf(service),
    LEDGER_URL: facts.ledgerUrl,
    ...(facts.sponsorKeysFile === null
      ? { SPONSOR_KEYS: facts.sponsorSecrets.join(',') }
      : { SPONSOR_KEYS_FILE: facts.sponsorKeysFile }),
  };
}

/** The variables of a coin-pool, which the audit reads too. */
export function coinPoolEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return { ...signerEnvironment(facts, 'coin-pool'), FLEET_SECRET: facts.fleetSecret };
}

/** The variables of an executor. */
export function executorEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return signerEnvironment(facts, 'executor');
}

/** The variables of a gateway that talks to these coin-pools and events services (`host:port`). */
export function gatewayEnvironment(
  facts: SystemFacts,
  coinPools: readonly string[],
  events: readonly string[],
): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrlOf('gateway'),
    LEDGER_URL: facts.ledgerUrl,
    GAS_STATION_AUTH: facts.tokens.join(','),
    FLEET_SECRET: facts.fleetSecret,
    COIN_POOL_ENDPOINTS: coinPools.join(','),
    ...(events.length > 0 && { EVENTS_ENDPOINTS: events.join(',') }),
  };
}
