/** What the services of one system have in common. */
export interface SystemFacts {
  readonly redisUrl: string;
  readonly ledgerUrl: string;
  /** Keys of the sponsors, bech32 or base64. */
  readonly sponsorSecrets: readonly string[];
  readonly tokens: readonly string[];
}

/** The variables that coin-pool, executor and the audit read. */
export function signerEnvironment(facts: SystemFacts): NodeJS.ProcessEnv {
  return {
    REDIS_URL: facts.redisUrl,
    LEDGER_URL: facts.ledgerUrl,
    SPONSOR_KEYS: facts.sponsorSecrets.join(','),
  };
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
    COIN_POOL_ENDPOINTS: coinPools.join(','),
    ...(events.length > 0 && { EVENTS_ENDPOINTS: events.join(',') }),
  };
}
