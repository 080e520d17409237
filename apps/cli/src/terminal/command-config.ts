import {
  accessVariables,
  checkRedis,
  type Environment,
  fleetVariables,
  ledgerVariables,
  readConfig,
  redisVariables,
} from '@forecourt/runtime/config';

/** Reads the configuration of an audit. Throws `ConfigError` naming every problem, like the other readers. */
export function readAuditConfig(environment: Environment = process.env) {
  return readConfig({ ...redisVariables, ...ledgerVariables }, environment, checkRedis);
}

/** Reads which nodes and key services to examine. */
export function readDoctorConfig(environment: Environment = process.env) {
  const sponsorKeys = { ...fleetVariables.sponsorKeys, required: false };
  return readConfig({ ...ledgerVariables, sponsorKeys }, environment);
}

/** Reads which files hold tokens and rules. */
export function readAccessConfig(environment: Environment = process.env) {
  return readConfig(accessVariables, environment);
}
