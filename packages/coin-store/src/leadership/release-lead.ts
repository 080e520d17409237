import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Ends the lead of a pool, so that another process can take it at once; false when `owner` does not lead. */
export async function releaseLead(
  redis: CoinStoreRedis,
  sponsor: string,
  owner: string,
): Promise<boolean> {
  return (await runOnPool(redis, 'release-lead', sponsor, owner)) === 1;
}
