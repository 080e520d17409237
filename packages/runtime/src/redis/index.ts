export { corkTick } from './write-together.js';
export { removeIdleMembers } from './idle-members.js';
export {
  listMasters,
  loadScript,
  openRedis,
  openSubscriber,
  queueOptions,
  type QueueOptions,
  type RedisConnection,
  type RedisSettings,
} from './open-redis.js';
