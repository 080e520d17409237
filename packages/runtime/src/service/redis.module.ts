import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { openRedis, type RedisConnection, type RedisSettings } from '../redis/index.js';
import { type Logger, LOGGER } from './logger.js';
import { Metrics } from '../metrics/index.js';
import { measureRedis } from './measure-redis.js';

/**
 * A connection that fails soon instead of queueing forever: a caller waits at most `commandTimeout`. It
 * reconnects automatically; an outage is logged once when it begins and once when it ends.
 */
function connectRedis(settings: RedisSettings, logger: Logger): RedisConnection {
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

/** Injection token of the service's connection to Redis. */
export const REDIS = Symbol('REDIS');

@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** `prepare` may define scripts on the connection. */
  static with(
    settings: RedisSettings,
    prepare: (redis: RedisConnection) => RedisConnection = (redis) => redis,
  ): DynamicModule {
    return {
      module: RedisModule,
      providers: [
        {
          provide: REDIS,
          inject: [LOGGER, Metrics],
          useFactory: (logger: Logger, metrics: Metrics) => {
            const redis = connectRedis(settings, logger);
            measureRedis(redis, metrics);
            return prepare(redis);
          },
        },
      ],
      exports: [REDIS],
    };
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
