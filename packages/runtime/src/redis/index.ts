export { listMasters } from './list-masters.js';
export { type ConnectionOptions, openRedis, type RedisConnection } from './open-redis.js';
export { openSubscriber } from './open-subscriber.js';
export { type QueueOptions, queueOptions } from './queue-options.js';
export { type RedisSettings } from './redis-settings.js';
