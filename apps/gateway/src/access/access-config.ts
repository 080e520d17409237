import { type Environment, readConfig } from '@forecourt/config';
import { gatewayVariables } from '../gateway-config.js';

/** Where tokens and rules stand. Throws `ConfigError`. */
export function readAccessConfig(environment: Environment = process.env) {
  const { tokensFile, accessRulesFile } = gatewayVariables;
  return readConfig({ tokensFile, accessRulesFile }, environment);
}
