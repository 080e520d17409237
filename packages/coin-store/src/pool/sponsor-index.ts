import type { CoinStoreRedis } from '../scripts/prepare-coin-store.js';
import { registerSponsor } from './sponsors.js';

const known = new WeakMap<CoinStoreRedis, Map<string, Promise<number>>>();

/**
 * The result of `registerSponsor`, cached until the connection breaks: a Redis that comes back empty may assign
 * another index. Throws its errors.
 */
export function sponsorIndex(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  const indexes = known.get(redis) ?? rememberUntilClosed(redis);
  const asked = indexes.get(sponsor) ?? registerSponsor(redis, sponsor);
  indexes.set(sponsor, asked);
  asked.catch(() => indexes.delete(sponsor));
  return asked;
}

function rememberUntilClosed(redis: CoinStoreRedis): Map<string, Promise<number>> {
  const indexes = new Map<string, Promise<number>>();
  known.set(redis, indexes);
  redis.once('close', () => known.delete(redis));
  return indexes;
}
