import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { PoolTooNew, READABLE_VERSION } from './stored-version.js';

/** The version of the form in which a pool is stored. */
export async function readStoredVersion(redis: CoinStoreRedis, sponsor: string): Promise<number> {
  return Number(await runOnPool(redis, 'read-stored-version', sponsor));
}

/** For those who use a pool that others open. Throws `PoolTooNew` when this code does not read its form. */
export async function requireReadablePool(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const stored = await readStoredVersion(redis, sponsor);
  if (stored > READABLE_VERSION) throw new PoolTooNew(sponsor, stored);
}
