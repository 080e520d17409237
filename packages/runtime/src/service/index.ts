export {
  type HealthIndicators,
  HealthModule,
  type Indicator,
  ledgerIndicator,
  queueIndicator,
  redisIndicator,
} from './health.module.js';
export {
  addLogFields,
  createLogger,
  LineFile,
  type LineFileEvents,
  logFields,
  type LogFields,
  logFile,
  type Logger,
  LOGGER,
  withLogFields,
} from './logger.js';
export {
  type ConditionMessages,
  isRedisOutage,
  OutageLog,
  retryUntilAvailable,
} from './outage-log.js';
export {
  defineService,
  raiseHeapGrowth,
  runService,
  runServices,
  type ServiceConfig,
  type ServiceDefinition,
} from './run-service.js';
export {
  type ListenOptions,
  measureHttp,
  ReplicaIdentity,
  Service,
  type ServiceOptions,
} from './service.js';
export { addMetricsRoute } from './serve-metrics.js';
export { inspectRedis, type RedisDurability } from './inspect-redis.js';
export { REDIS, RedisModule } from './redis.module.js';
export { RepeatedTask, type TaskDescription } from './repeated-task.js';
export { ReplicaPresence, ReplicasModule, type SeenReplica } from './replica-presence.js';
export { declareRoute, MostBodyBytes, Public, PUBLIC_ROUTE } from './declare-route.js';
export { ServiceModule } from './service.module.js';
export { ServiceState, SHUTDOWN_MS } from './host-process.js';
