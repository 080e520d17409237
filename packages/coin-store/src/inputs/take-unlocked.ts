import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { type LockedInput, readLockedInput } from './input-holder.js';

/** Takes up to `limit` inputs of a pool whose transactions have ended: their locks are to be deleted. */
export async function takeUnlocked(
  redis: CoinStoreRedis,
  sponsor: string,
  limit: number,
): Promise<LockedInput[]> {
  const taken = (await runOnPool(redis, 'take-unlocked', sponsor, limit)) as string[];
  return taken.map((text) => readLockedInput(sponsor, text));
}
