import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import { type Logger, LOGGER } from '../logger.js';
import { measureRedis } from '../metrics/measure-redis.js';
import { Metrics } from '@forecourt/metrics';
import { connectRedis } from './connect-redis.js';

/** Injection token of the service's ioredis connection. */
export const REDIS = Symbol('REDIS');

@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  /** `prepare` may teach the connection its scripts. */
  static with(url: string, prepare: (redis: Redis) => Redis = (redis) => redis): DynamicModule {
    return {
      module: RedisModule,
      providers: [
        {
          provide: REDIS,
          inject: [LOGGER, Metrics],
          useFactory: (logger: Logger, metrics: Metrics) => {
            const redis = connectRedis(url, logger);
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
