import { expect } from '@jest/globals';
import { randomAddress, reserve } from '../pool.test-support.js';
import { abandonClaim, listLocked, lockInput, takeUnlocked, unlockInput } from './locked-inputs.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';

/**
 * Locks an input for a claim that is not made, and unlocks it: every step on the master of the input's slot.
 */
export async function lockAnInput(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const { reservationId } = await reserve(redis, sponsor);
  const holder = { sponsor, reservationId, digest: 'D9', fence: 1 };
  const locked = { input: `${randomAddress()}:7`, holder };
  expect(await lockInput(redis, locked.input, holder)).toBeNull();
  expect(await lockInput(redis, locked.input, { ...holder, fence: 2 })).toMatchObject({ holder });
  expect(await abandonClaim(redis, locked, false)).toBe('pending');
  expect(await unlockInput(redis, locked)).toBe(true);
  expect(await listLocked(redis, sponsor)).toEqual([]);
  expect(await takeUnlocked(redis, sponsor, 9)).toEqual([]);
}
