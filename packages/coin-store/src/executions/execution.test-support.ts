import { beginExecution } from './begun-executions.js';
import { claim, reserve, type useTestStore } from '../pool.test-support.js';

type TestStore = ReturnType<typeof useTestStore>;

export const digest = 'D1';

/** A pool with a reservation that an executor has begun. */
export async function executionOf(
  store: TestStore,
  { balances = [700_000], budget = 500_000, durationMs = 60_000 } = {},
) {
  const { sponsor } = await store.aPool(...balances);
  const reserved = await reserve(store.redis, sponsor, budget, durationMs);
  const { reservationId, coins, deadlineMs } = reserved;
  const fence = await claim(store.redis, sponsor, reservationId, digest);
  const job = { reservationId, digest, fence };
  const begun = await beginExecution(store.redis, sponsor, { ...job, executor: 'ex-1' });
  if (!begun) throw new Error('not begun');
  return { sponsor, coins, deadlineMs, begun, job };
}
