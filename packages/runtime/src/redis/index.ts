export { removeIdleMembers } from './idle-members.js';
export {
  type ConnectionOptions,
  listMasters,
  loadScript,
  openRedis,
  openSubscriber,
  queueOptions,
  type QueueOptions,
  type RedisConnection,
  type RedisSettings,
} from './open-redis.js';
