import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { PoolTooNew, READABLE_VERSION } from './stored-version.js';

/** The format version of a stored pool. */
export async function readStoredVersion(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  return Number(await runOnPool(redis, 'read-stored-version', sponsor));
}

/**
 * For processes that use a pool which others open. Throws `PoolTooNew` when this release does not read its format.
 */
export async function requireReadablePool(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const stored = await readStoredVersion(redis, sponsor);
  if (stored > READABLE_VERSION) throw new PoolTooNew(sponsor, stored);
}
