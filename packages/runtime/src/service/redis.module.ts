import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Command } from 'ioredis';
import { openRedis, type RedisConnection, type RedisSettings } from '../redis/index.js';
import { type Logger, LOGGER } from './logger.js';
import { Metrics } from '../metrics/index.js';

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

/** The server does not know a script's hash; the connection then sends the text. */
const SCRIPT_UNKNOWN = 'NOSCRIPT';
/** ioredis introduces itself with it; older servers do not know it. */
const CLIENT_COMMAND = 'client';

type SendCommand = (command: Command, ...target: never[]) => unknown;

/** Measures whether a connection is up, and its failures. */
export function measureRedis(redis: RedisConnection, metrics: Metrics): void {
  metrics.figures({
    name: 'redis_up',
    help: 'Whether the connection to Redis is up (1) or not (0).',
    read: () => [[{}, redis.status === 'ready' ? 1 : 0]],
  });
  const errors = metrics.counter<{ kind: 'connection' | 'command' }>({
    name: 'redis_errors_total',
    help: 'Failures of the connection to Redis, and commands that failed or were not answered.',
    labels: ['kind'],
    known: [{ kind: 'connection' }, { kind: 'command' }],
  });
  redis.on('error', () => errors.add({ kind: 'connection' }));
  const seen = new WeakSet<Command>();
  const send: SendCommand = redis.sendCommand.bind(redis);
  const counted: SendCommand = (command, ...target) => {
    // A command that waited for the connection is sent again.
    if (!seen.has(command) && command.name !== CLIENT_COMMAND) {
      seen.add(command);
      command.promise.catch((error: unknown) => {
        const isMissingScript = (error as Error).message.startsWith(SCRIPT_UNKNOWN);
        if (!isMissingScript) errors.add({ kind: 'command' });
      });
    }
    return send(command, ...target);
  };
  redis.sendCommand = counted;
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
