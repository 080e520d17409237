import type { ConfigOf, redisVariables } from '../config/index.js';

/** Address and kind of Redis. */
export type RedisSettings = ConfigOf<typeof redisVariables>;
