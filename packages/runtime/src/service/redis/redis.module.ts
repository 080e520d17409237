import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { RedisConnection, RedisSettings } from '../../redis/index.js';
import { type Logger, LOGGER } from '../logger.js';
import { measureRedis } from '../metrics/measure-redis.js';
import { Metrics } from '../../metrics/index.js';
import { connectRedis } from './connect-redis.js';

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
