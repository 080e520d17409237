import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setHistoryBacklog } from '../history/history-stream.js';
import { aCoin, rules, useTestStore } from '../pool.test-support.js';
import { PoolBooks } from './model/pool-books.test-support.js';
import { adopt } from './model/resting.test-support.js';
import { operations, runOperation } from './model/run-operation.test-support.js';

const store = useTestStore();

/** No coin is treasury, so that reservations hold coins beyond 2^53. */
const noTreasury = { dustBelow: 100_000n, treasuryFrom: 2n ** 62n };

/** Three are alike, and several are in one class: a burst takes them at once. */
const balances = [
  900_000n,
  800_000n,
  700_000n,
  300_000n,
  300_000n,
  300_000n,
  310_000n,
  50_000n,
  9_000_000n,
  4_000_000n,
  20n,
  2n ** 53n + 1n,
  2n ** 54n + 3n,
];

/** Events that the sequences must include; each occurs at least a dozen times. */
const worthwhile = [
  'executed from executing',
  'executed from quarantined',
  'refused from quarantined',
  'refuse',
  'refuse past the deadline',
  'release claim',
  'release claim past the deadline',
  'release',
  'expire',
  'finish',
  'finish after a coin it made was smashed',
  'abort',
  'renew reserved',
  'renew available',
  'renew dust',
];

describe('the invariant of a pool', () => {
  it('holds after every step of any sequence of operations, and every step has the predicted result', async () => {
    const step = fc.tuple(fc.constantFrom(...operations), fc.nat(10_000), fc.nat(10_000));
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(rules, noTreasury),
        fc.boolean(),
        fc.array(step, { minLength: 60, maxLength: 200, size: 'max' }),
        async (placement, hasHistory, steps) => {
          const { sponsor } = await store.aPool();
          if (hasHistory) await setHistoryBacklog(store.redis, sponsor, 1_000);
          const books = new PoolBooks(store, sponsor, placement, hasHistory);
          await adopt(
            books,
            balances.map((balance) => aCoin(balance)),
          );
          for (const [operation, pick, variant] of steps) {
            await runOperation(books, operation, pick, variant);
            await books.check();
          }
          await books.checkReservations();
          await books.checkHistory();
          for (const [what, times] of books.done) done.set(what, (done.get(what) ?? 0) + times);
        },
      ),
      // Reports a failure even if it cannot be shrunk in time.
      { numRuns: 40, interruptAfterTimeLimit: 60_000 },
    );
    expect(worthwhile.filter((what) => !done.has(what))).toEqual([]);
  }, 120_000);
});
