import { type CoinStoreRedis, runOnInput } from '../scripts/prepare-coin-store.js';
import { type LockedInput, writeHolder } from './input-holder.js';

/** Deletes the lock of an input. False when another claim has it, or none. */
export async function unlockInput(
  redis: CoinStoreRedis,
  { input, holder }: LockedInput,
): Promise<boolean> {
  return (await runOnInput(redis, 'unlock-input', input, writeHolder(holder))) === 1;
}
