import {
  checkRedis,
  type Environment,
  ledgerVariables,
  readConfig,
  redisVariables,
} from '@forecourt/runtime/config';

/** Reads the configuration of the audit. Throws `ConfigError` naming every problem. */
export function readAuditConfig(environment: Environment = process.env) {
  return readConfig({ ...redisVariables, ...ledgerVariables }, environment, checkRedis);
}
