export { accessVariables } from './access-variables.js';
export { describeVariables, type VariableRow } from './describe-variables.js';
export { checkFleetSecret, fleetSecretVariables } from './fleet-secret-variables.js';
export { fleetVariables } from './fleet-variables.js';
export { type HttpHeaders, parseHttpHeaders } from './http-headers.js';
export { httpHeadersKind, ledgerVariables } from './ledger-variables.js';
export {
  ConfigError,
  type ConfigOf,
  type Environment,
  readConfig,
  type Variables,
} from './read-config.js';
export { type Networks, parseNetworks } from './networks.js';
export { checkRedis, redisVariables } from './redis-variables.js';
export type { Endpoint } from './parse-value.js';
export { holdMs, submitWithinMs } from './submission-times.js';
export { variable, type Variable } from './variable.js';
