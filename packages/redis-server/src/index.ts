export { findRedisServer } from './find-redis-server.js';
export { freePort } from './free-port.js';
export {
  type RedisServer,
  type RedisServerOptions,
  startRedisServer,
} from './start-redis-server.js';
