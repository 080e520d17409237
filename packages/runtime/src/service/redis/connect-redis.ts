import { openRedis, type RedisConnection, type RedisSettings } from '../../redis/index.js';
import type { Logger } from '../logger.js';

/**
 * A connection that fails soon instead of queueing forever: a caller waits at most `commandTimeout`. It reconnects
 * automatically; an outage is logged once when it begins and once when it ends.
 */
export function connectRedis(settings: RedisSettings, logger: Logger): RedisConnection {
  const redis = openRedis(settings, {
    maxRetriesPerRequest: 1,
    // A command that was sent may have been executed: the caller decides whether to repeat it.
    autoResendUnfulfilledCommands: false,
    commandTimeout: 5_000,
    connectTimeout: 2_000,
  });
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) logger.error({ error: error.message }, 'Redis is unreachable');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('Redis is reachable again');
    down = false;
  });
  return redis;
}
