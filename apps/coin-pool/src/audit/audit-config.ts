import { type Environment, fleetVariables, readConfig } from '@forecourt/config';

/** Throws `ConfigError` naming every problem. */
export function readAuditConfig(environment: Environment = process.env) {
  const { redisUrl, ledgerUrl, ledgerReadUrl } = fleetVariables;
  return readConfig({ redisUrl, ledgerUrl, ledgerReadUrl }, environment);
}
