import type { Command } from 'ioredis';
import type { RedisConnection } from '../redis/index.js';
import { Metrics } from '../metrics/index.js';

/** The server does not know a script's hash; the connection then sends the text. */
const SCRIPT_UNKNOWN = 'NOSCRIPT';
/** ioredis introduces itself with it; older servers do not know it. */
const CLIENT_COMMAND = 'client';

type SendCommand = (command: Command, ...target: never[]) => unknown;

const WATCHED = Symbol('watched');

/** Calls `onFailure` once if the command fails. A `catch` on its promise would cost every command a promise. */
function watch(command: Command & { [WATCHED]?: true }, onFailure: (error: Error) => void): void {
  command[WATCHED] = true;
  const { reject } = command;
  command.reject = (error) => {
    if (!command.isSettled) onFailure(error);
    reject(error);
  };
}

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
  const countFailure = (error: Error) => {
    if (!error.message.startsWith(SCRIPT_UNKNOWN)) errors.add({ kind: 'command' });
  };
  const send: SendCommand = redis.sendCommand.bind(redis);
  const counted: SendCommand = (command, ...target) => {
    // A command that waited for the connection is sent again.
    if (!(WATCHED in command) && command.name !== CLIENT_COMMAND) watch(command, countFailure);
    return send(command, ...target);
  };
  redis.sendCommand = counted;
}
