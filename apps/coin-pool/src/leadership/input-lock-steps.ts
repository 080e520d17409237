import {
  type CoinStoreRedis,
  listLocked,
  lockInput,
  takeUnlocked,
  unlockInput,
} from '@forecourt/coin-store';
import type { UpkeepStepOptions } from './upkeep-step.js';

const UNLOCK_EVERY_MS = 1_000;
const UNLOCKED_AT_ONCE = 500;
const RENEW_EVERY_MS = 3_600_000;

/**
 * The leader's upkeep of input locks, each of which has a separate slot. It deletes the locks of ended transactions and
 * renews those of transactions in flight. While the pool is suspended, Redis may have lost locks too: the leader locks
 * these inputs again before others may claim.
 */
export function inputLockSteps(redis: CoinStoreRedis, sponsor: string): UpkeepStepOptions[] {
  const renew = () => renewLocks(redis, sponsor);
  return [
    {
      name: 'delete input locks',
      everyMs: UNLOCK_EVERY_MS,
      isDue: ({ endedLocks }) => endedLocks > 0,
      run: () => deleteLocks(redis, sponsor),
    },
    { name: 'renew input locks', everyMs: RENEW_EVERY_MS, isDue: () => true, run: renew },
    {
      name: 'lock inputs again',
      everyMs: 1_000,
      isDue: ({ suspendedMs }) => suspendedMs !== null,
      run: renew,
    },
  ];
}

async function deleteLocks(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  let taken: number;
  do {
    const unlocked = await takeUnlocked(redis, sponsor, UNLOCKED_AT_ONCE);
    await Promise.all(unlocked.map((one) => unlockInput(redis, one)));
    taken = unlocked.length;
  } while (taken === UNLOCKED_AT_ONCE);
}

async function renewLocks(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const locked = await listLocked(redis, sponsor);
  await Promise.all(locked.map(({ input, holder }) => lockInput(redis, input, holder)));
}
