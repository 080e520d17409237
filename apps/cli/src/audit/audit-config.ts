import {
  checkRedis,
  type Environment,
  fleetVariables,
  readConfig,
  redisVariables,
} from '@forecourt/runtime/config';

/** Reads the configuration of the audit. Throws `ConfigError` naming every problem. */
export function readAuditConfig(environment: Environment = process.env) {
  const { ledgerUrl, ledgerReadUrl } = fleetVariables;
  return readConfig({ ...redisVariables, ledgerUrl, ledgerReadUrl }, environment, checkRedis);
}
