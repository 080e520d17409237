export { TemporaryFolder } from './temporary-folder.js';
export { useRedis } from './use-redis.js';
export { useStarted } from './use-started.js';
