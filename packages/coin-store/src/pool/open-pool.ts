import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

export type OpenedPool =
  { readonly opened: true } | { readonly opened: false; readonly belongsTo: string };

/** Opens a sponsor's pool for a network; a pool that was filled on another network is not opened. */
export async function openPool(
  redis: CoinStoreRedis,
  sponsor: string,
  chain: string,
): Promise<OpenedPool> {
  const belongsTo = String(await runOnPool(redis, 'open-pool', sponsor, chain));
  return belongsTo === chain ? { opened: true } : { opened: false, belongsTo };
}
