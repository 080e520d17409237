import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './open-redis.js';

/**
 * The servers that hold the data: every master of a cluster, otherwise the one server. Throws when a cluster does
 * not answer.
 */
export async function listMasters(redis: RedisConnection): Promise<readonly Redis[]> {
  if (!(redis instanceof Cluster)) return [redis];
  // The client knows its nodes after the first answered command.
  await redis.ping();
  return redis.nodes('master');
}
