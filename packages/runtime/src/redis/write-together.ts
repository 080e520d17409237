import type { Redis } from 'ioredis';
import type { Writable } from 'node:stream';

/**
 * Lets everything that is written to a stream until the end of this tick leave together: each write is a
 * system call, and wakes Redis.
 */
export function corkTick(stream: Writable | undefined): void {
  if (!stream || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Lets the commands of one tick leave together. */
export function writeTogether<T extends Redis>(redis: T): T {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...command) => {
    corkTick(redis.stream);
    return send(...command);
  };
  return redis;
}
