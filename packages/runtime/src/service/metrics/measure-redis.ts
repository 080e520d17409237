import type { Command } from 'ioredis';
import type { RedisConnection } from '../../redis/index.js';
import type { Metrics } from '../../metrics/index.js';

/** The server asks for a script's text; the connection then sends it. */
const SCRIPT_UNKNOWN = 'NOSCRIPT';
/** The client's own introduction, which older servers do not know. */
const INTRODUCTION = 'client';

type SendCommand = (command: Command, ...target: never[]) => unknown;

/** Whether a connection stands, and what goes wrong on it. */
export function measureRedis(redis: RedisConnection, metrics: Metrics): void {
  metrics.figures({
    name: 'redis_up',
    help: 'Whether the connection to Redis stands (1) or not (0).',
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
    // One that waited for the connection comes again.
    if (!seen.has(command) && command.name !== INTRODUCTION) {
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
