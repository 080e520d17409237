import type { Redis } from 'ioredis';

const SCRIPTS = /^cmdstat_eval(?:sha)?:calls=(\d+),usec=(\d+)/gm;

/**
 * Redis's own time inside the scripts that `work` calls, in µs, by `INFO commandstats`. No other
 * client may call scripts meanwhile.
 */
export async function scriptTime(redis: Redis, work: () => Promise<unknown>): Promise<number> {
  await redis.config('RESETSTAT');
  await work();
  const stats = await redis.info('commandstats');
  let usec = 0;
  for (const [, , spent] of stats.matchAll(SCRIPTS)) usec += Number(spent);
  return usec;
}
