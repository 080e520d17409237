import type { CoinStoreRedis } from '../scripts/run-script.js';

const SPONSORS_KEY = 'fc:sponsors';
/** Six bits of every reservation id name its sponsor. */
const MAX_SPONSORS = 64;

/**
 * Assigns a sponsor its index (0 to 63), the same at every call. Throws `Error` when all indexes are taken.
 */
export async function registerSponsor(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  const index = await redis['coinStore:register-sponsor']!(SPONSORS_KEY, sponsor, MAX_SPONSORS);
  if (typeof index !== 'number') {
    throw new Error(
      `cannot register sponsor ${sponsor}: ${MAX_SPONSORS} sponsors are registered already, which is the limit`,
    );
  }
  return index;
}

/** Every registered sponsor by its index. */
export async function listSponsors(redis: CoinStoreRedis): Promise<Map<number, string>> {
  const sponsors = await redis.hgetall(SPONSORS_KEY);
  return new Map(Object.entries(sponsors).map(([address, index]) => [Number(index), address]));
}

/** The index of the sponsor whose pool a reservation belongs to: the id's last six bits. */
export function sponsorIndexOf(reservationId: number): number {
  return reservationId % MAX_SPONSORS;
}

const known = new WeakMap<CoinStoreRedis, Map<string, Promise<number>>>();

/**
 * The result of `registerSponsor`, cached until the connection breaks: a Redis that comes back empty may
 * assign another index. Throws its errors.
 */
export function sponsorIndex(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  const indexes = known.get(redis) ?? rememberUntilClosed(redis);
  const index = indexes.get(sponsor) ?? registerSponsor(redis, sponsor);
  indexes.set(sponsor, index);
  index.catch(() => indexes.delete(sponsor));
  return index;
}

function rememberUntilClosed(redis: CoinStoreRedis): Map<string, Promise<number>> {
  const indexes = new Map<string, Promise<number>>();
  known.set(redis, indexes);
  redis.once('close', () => known.delete(redis));
  return indexes;
}
