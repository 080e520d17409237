import type { CoinStoreRedis } from '../scripts/prepare-coin-store.js';
import { registerSponsor } from './sponsors.js';

const known = new WeakMap<CoinStoreRedis, Map<string, Promise<number>>>();

/** `registerSponsor`, asked once per connection: an index never changes. Throws what that throws. */
export function sponsorIndex(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  const indexes = known.get(redis) ?? new Map<string, Promise<number>>();
  known.set(redis, indexes);
  const asked = indexes.get(sponsor) ?? registerSponsor(redis, sponsor);
  indexes.set(sponsor, asked);
  asked.catch(() => indexes.delete(sponsor));
  return asked;
}
