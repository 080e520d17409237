import { loadScript, type RedisConnection } from './open-redis.js';

const SCRIPT = loadScript('remove-idle-members');

/**
 * Removes the members of a stream's group that have not read for `idleMs` and have no pending entries. A
 * member that is still there joins again with the next entry that it gets. Rejects when Redis does not
 * answer, or without the group.
 */
export async function removeIdleMembers(
  redis: RedisConnection,
  stream: string,
  group: string,
  idleMs: number,
): Promise<void> {
  await redis.eval(SCRIPT, 1, stream, group, idleMs);
}
