import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './open-redis.js';

/** The servers that hold the data: every master of a cluster, otherwise the one server. Throws when a cluster does not answer. */
export async function listMasters(redis: RedisConnection): Promise<readonly Redis[]> {
  if (!(redis instanceof Cluster)) return [redis];
  // Its nodes are known once a command has been answered.
  await redis.ping();
  return redis.nodes('master');
}
