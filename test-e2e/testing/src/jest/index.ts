export { TemporaryFolder } from './temporary-folder.js';
export { usePostgres } from './use-postgres.js';
export { useRedis } from './use-redis.js';
export { useStarted } from './use-started.js';
export { partial } from './partial.js';
