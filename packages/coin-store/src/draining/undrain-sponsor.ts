import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Ends a drain, and stops a withdrawal from taking more coins. False when the sponsor was not drained. */
export async function undrainSponsor(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runOnPool(redis, 'undrain-sponsor', sponsor)) === 1;
}
