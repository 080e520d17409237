import { accessVariables, type Environment, readConfig } from '@forecourt/runtime/config';

/** Where tokens and rules stand. Throws `ConfigError`. */
export function readAccessConfig(environment: Environment = process.env) {
  return readConfig(accessVariables, environment);
}
