import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { type LockedInput, readLockedInput } from './input-holder.js';

/** The inputs that a pool's transactions in flight must have locked. */
export async function listLocked(redis: CoinStoreRedis, sponsor: string): Promise<LockedInput[]> {
  const listed = (await runOnPool(redis, 'list-locked', sponsor)) as string[];
  return listed.map((text) => readLockedInput(sponsor, text));
}
