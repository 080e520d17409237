import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { PoolTooNew, READABLE_VERSION, WRITTEN_VERSION } from './stored-version.js';

export type OpenedPool =
  { readonly opened: true } | { readonly opened: false; readonly belongsTo: string };

/**
 * Opens a sponsor's pool for a network; a pool that was filled on another network is not opened. A new pool is
 * suspended for `suspendMs`; 0: it is not. Throws `PoolTooNew` when this release does not read its format.
 */
export async function openPool(
  redis: CoinStoreRedis,
  sponsor: string,
  chain: string,
  suspendMs = 0,
): Promise<OpenedPool> {
  const args = [chain, WRITTEN_VERSION, READABLE_VERSION, suspendMs];
  const reply = await runOnPool(redis, 'open-pool', sponsor, ...args);
  const [belongsTo, stored] = reply as [string, number];
  if (belongsTo !== chain) return { opened: false, belongsTo };
  if (stored > READABLE_VERSION) throw new PoolTooNew(sponsor, stored);
  return { opened: true };
}
