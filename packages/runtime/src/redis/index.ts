export { removeIdleMembers } from './idle-members.js';
export {
  type ConnectionOptions,
  listMasters,
  loadScript,
  openRedis,
  openSubscriber,
  type RedisConnection,
  type RedisSettings,
} from './open-redis.js';
export { type QueueOptions, queueOptions } from './queue-options.js';
