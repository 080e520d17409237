export { HealthModule } from './health/health.module.js';
export {
  type HealthIndicators,
  type Indicator,
  ledgerIndicator,
  queueIndicator,
  redisIndicator,
} from './health/indicator.js';
export { LineFile, type LineFileEvents } from './line-file.js';
export {
  addLogFields,
  createLogger,
  logFields,
  logFile,
  type LogFields,
  LOGGER,
  type Logger,
  withLogFields,
} from './logger.js';
export {
  type ConditionMessages,
  isRedisOutage,
  LastingCondition,
  retryUntilAvailable,
} from './lasting-condition.js';
export {
  defineService,
  letHeapGrow,
  runService,
  runServices,
  type ServiceConfig,
  type ServiceDefinition,
} from './run-service.js';
export { measureHttp } from './observe-requests.js';
export { addMetricsRoute } from './serve-metrics.js';
export { inspectRedis, type RedisDurability } from './inspect-redis.js';
export { REDIS, RedisModule } from './redis.module.js';
export { RepeatedTask, type TaskDescription } from './repeated-task.js';
export { ReplicaIdentity } from './replica-identity.js';
export { ReplicaPresence, ReplicasModule, type SeenReplica } from './replica-presence.js';
export { declareRoute, Public, PUBLIC_ROUTE } from './declare-route.js';
export { type ListenOptions, Service, type ServiceOptions } from './service.js';
export { ServiceModule } from './service.module.js';
export { ServiceState, SHUTDOWN_MS } from './shut-down.js';
export { provideClass } from './provide-class.js';
