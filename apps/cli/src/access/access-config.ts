import { accessVariables, type Environment, readConfig } from '@forecourt/runtime/config';

/** Reads which files hold tokens and rules. Throws `ConfigError`. */
export function readAccessConfig(environment: Environment = process.env) {
  return readConfig(accessVariables, environment);
}
