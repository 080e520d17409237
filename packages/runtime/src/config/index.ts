export { limitVariables } from './limit-variables.js';
export {
  type Endpoint,
  type HttpHeaders,
  type Networks,
  parseDatabaseUrl,
  parseHttpHeaders,
  parseNetworks,
  parseUrl,
} from './parse-value.js';
export {
  type ConfigOf,
  describeVariables,
  type Environment,
  readConfig,
  type VariableRow,
  type Variables,
} from './read-config.js';
export { ConfigError } from './config-error.js';
export {
  accessVariables,
  checkFleetSecret,
  checkRedis,
  fleetSecretVariables,
  fleetVariables,
  holdMs,
  httpHeadersKind,
  ledgerVariables,
  redisVariables,
  submitWithinMs,
  USUAL_HISTORY_BACKLOG,
} from './shared-variables.js';
export { variable, type Variable } from './variable.js';
