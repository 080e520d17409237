import type { ConfigOf, redisVariables } from '../config/index.js';

/** Where Redis is and of what kind. */
export type RedisSettings = ConfigOf<typeof redisVariables>;
