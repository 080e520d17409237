import { startRedisServer } from '../redis/start-redis-server.js';
import type { RedisServer } from '../redis/redis-server.js';
import { useStarted } from './use-started.js';

/**
 * A connection, made by `connect` from the URL, to a private Redis for all tests of a file or
 * block. Its data is not durable.
 */
export function useRedis<T extends { disconnect(): void }>(connect: (url: string) => T): T {
  let server: RedisServer;
  return useStarted(
    async () => {
      server = await startRedisServer({ appendfsync: 'no' });
      return connect(server.url);
    },
    async (connection) => {
      connection.disconnect();
      await server.stop();
    },
  );
}
