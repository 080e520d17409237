export { HealthModule } from './health/health.module.js';
export {
  type HealthIndicators,
  type Indicator,
  ledgerIndicator,
  queueIndicator,
  redisIndicator,
} from './health/indicator.js';
export { addLogFields, type LogFields, logFields, withLogFields } from './log-fields.js';
export { type ConditionMessages, LastingCondition } from './lasting-condition.js';
export { letHeapGrow } from './let-heap-grow.js';
export { createLogger, type Logger, LOGGER } from './logger.js';
export { measureHttp } from './metrics/measure-http.js';
export { addMetricsRoute } from './metrics/serve-metrics.js';
export { inspectRedis, type RedisDurability } from './redis/inspect-redis.js';
export { REDIS, RedisModule } from './redis/redis.module.js';
export { isRedisOutage, retryUntilAvailable } from './retry-until-available.js';
export { ReplicaIdentity } from './replicas/replica-identity.js';
export { ReplicaPresence, type SeenReplica } from './replicas/replica-presence.js';
export { ReplicasModule } from './replicas/replicas.module.js';
export { declareRoute, Public, PUBLIC_ROUTE } from './routes/declare-route.js';
export { provideClass } from './provide-class.js';
export { runService, type ServiceConfig } from './run-service.js';
export { type ListenOptions, Service, type ServiceOptions, SHUTDOWN_MS } from './service.js';
export { ServiceModule } from './service.module.js';
export { ServiceState } from './service-state.js';
