/** What the services of one system have in common. */
export interface SystemFacts {
  readonly redisUrl: string;
  readonly ledgerUrl: string;
  /** Keys of the sponsors, bech32 or base64. */
  readonly sponsorSecrets: readonly string[];
  readonly tokens: readonly string[];
  /** What the services prove to each other that they belong together. */
  readonly fleetSecret: string;
}

/** The variables that the services with a sponsor's key read. */
export function signerEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrl,
    LEDGER_URL: facts.ledgerUrl,
    SPONSOR_KEYS: facts.sponsorSecrets.join(','),
  };
}

/** The variables of a coin-pool. */
export function coinPoolEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return { ...signerEnvironment(facts), FLEET_SECRET: facts.fleetSecret };
}

/** The variables of a gateway that talks to these coin-pools and events services (`host:port`). */
export function gatewayEnvironment(
  facts: SystemFacts,
  coinPools: readonly string[],
  events: readonly string[],
): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrl,
    LEDGER_URL: facts.ledgerUrl,
    GAS_STATION_AUTH: facts.tokens.join(','),
    FLEET_SECRET: facts.fleetSecret,
    COIN_POOL_ENDPOINTS: coinPools.join(','),
    ...(events.length > 0 && { EVENTS_ENDPOINTS: events.join(',') }),
  };
}
