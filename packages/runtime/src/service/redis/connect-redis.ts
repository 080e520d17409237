import { openRedis, type RedisConnection, type RedisSettings } from '../../redis/index.js';
import type { Logger } from '../logger.js';

/**
 * A connection that fails soon rather than queueing for ever: a caller waits at most `commandTimeout` and can be told.
 * It reconnects by itself; an outage is logged once when it begins and once when it ends.
 */
export function connectRedis(settings: RedisSettings, logger: Logger): RedisConnection {
  const redis = openRedis(settings, {
    maxRetriesPerRequest: 1,
    // What was sent may have been done: whoever asked decides whether to ask again.
    autoResendUnfulfilledCommands: false,
    commandTimeout: 5_000,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) logger.error({ error: error.message }, 'Redis cannot be reached');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('Redis is back');
    down = false;
  });
  return redis;
}
