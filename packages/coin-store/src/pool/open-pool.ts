import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

export type OpenedPool =
  { readonly opened: true } | { readonly opened: false; readonly belongsTo: string };

/**
 * Opens a sponsor's pool for a network; a pool that was filled on another network is not opened. A new pool is suspended
 * for `suspendMs`; 0: it is not.
 */
export async function openPool(
  redis: CoinStoreRedis,
  sponsor: string,
  chain: string,
  suspendMs = 0,
): Promise<OpenedPool> {
  const belongsTo = String(await runOnPool(redis, 'open-pool', sponsor, chain, suspendMs));
  return belongsTo === chain ? { opened: true } : { opened: false, belongsTo };
}
