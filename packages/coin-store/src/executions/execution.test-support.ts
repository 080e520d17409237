import { beginExecutions } from './begin-executions.js';
import { only } from '@forecourt/testing/redis';
import { claim, reserve, type TestStore } from '../pool.test-support.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';

export const digest = 'D1';

/** Reserves and claims coins for a transaction, and begins its execution. */
export async function beginNew(
  redis: CoinStoreRedis,
  sponsor: string,
  digest: string,
  { budget = 500_000, durationMs = 60_000 } = {},
) {
  const { reservationId, coins, deadlineMs } = await reserve(redis, sponsor, budget, durationMs);
  const fence = await claim(redis, sponsor, reservationId, digest);
  const job = { reservationId, digest, fence };
  const begun = await only(beginExecutions(redis, sponsor, 'ex-1', [job]));
  if (!begun) throw new Error('not begun');
  return { coins, deadlineMs, begun, job };
}

/** A pool with a reservation that an executor has begun. */
export async function executionOf(
  store: TestStore,
  {
    balances = [700_000],
    ...setting
  }: { balances?: number[]; budget?: number; durationMs?: number } = {},
) {
  const { sponsor } = await store.aPool(...balances);
  return { sponsor, ...(await beginNew(store.redis, sponsor, digest, setting)) };
}
