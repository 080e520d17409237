export { freePort, isFree } from './free-port.js';
export { type RedisCluster, startRedisCluster } from './start-redis-cluster.js';
export { type RedisSentinels, startRedisSentinels } from './start-redis-sentinels.js';
export { startRedisServer } from './start-redis-server.js';
export type { RedisServerOptions, RedisServer } from './redis-server.js';
export { waitUntil } from '../wait-until.js';
export { only } from './only.js';
