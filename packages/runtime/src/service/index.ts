export {
  HealthModule,
  type Indicator,
  ledgerIndicator,
  queueIndicator,
  redisIndicator,
} from './health.module.js';
export { createLogger, logFile, type Logger, LOGGER } from './logger.js';
export { LineFile, type LineFileEvents } from './line-file.js';
export { addLogFields, logFields, withLogFields } from './log-fields.js';
export { DirectReplies, type ReadTransaction } from './direct-replies.js';
export { OutageLog } from './outage-log.js';
export { isRedisOutage, retryUntilAvailable } from './retry-until-available.js';
export {
  defineService,
  raiseHeapGrowth,
  runService,
  runServices,
  type ServiceDefinition,
} from './run-service.js';
export { Service } from './service.js';
export { ReplicaIdentity } from './replica-identity.js';
export { measureHttp } from './measure-http.js';
export { addMetricsRoute } from './serve-metrics.js';
export { inspectRedis, type RedisDurability } from './inspect-redis.js';
export { REDIS, RedisModule } from './redis.module.js';
export { RepeatedTask, type TaskDescription } from './repeated-task.js';
export { ReplicaPresence, type SeenReplica } from './replica-presence.js';
export { ReplicasModule } from './replicas.module.js';
export {
  type BodyDeclaration,
  declareRoute,
  DEFAULT_BODY_BYTES,
  MostBodyBytes,
  Public,
  PUBLIC_ROUTE,
} from './declare-route.js';
export { ServiceModule } from './service.module.js';
export { SHUTDOWN_MS } from './shut-down.js';
export { ServiceState } from './service-state.js';
