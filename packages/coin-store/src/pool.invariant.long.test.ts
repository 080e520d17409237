import { describe, expect, it } from '@jest/globals';
import { chooseSeed } from '@forecourt/testing/seed';
import fc from 'fast-check';
import { setHistoryBacklog } from './history/history-stream.js';
import { aCoin, rules, useTestStore } from './pool.test-support.js';
import type { PlacementRules } from './pool/placement-rules.js';
import { PoolBooks } from './pool/model/pool-books.test-support.js';
import { adopt } from './pool/model/resting.test-support.js';
import {
  type Operation,
  operations,
  runOperation,
} from './pool/model/run-operation.test-support.js';

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

/** Events that the sequences must include: each is in `rare`, or occurs about twenty times. */
const worthwhile = [
  'executed from executing',
  'executed from quarantined',
  'refused from quarantined',
  'refuse',
  'refuse past the deadline',
  'defer',
  'defer past the deadline',
  'defer without effect',
  'release claim of a deferred transaction',
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
  'withdraw an amount',
];

type Step = [Operation, number, number];

const begun: readonly Step[] = [
  ['reserve', 1, 1],
  ['claim', 1, 2],
  ['begin', 1, 1],
];
const late: Step = ['passDeadline', 1, 1];
/** Sequences with events that random ones may miss. */
const rare: readonly Step[][] = [
  [...begun, ['defer', 1, 1], ['release claim', 1, 1]],
  [...begun, late, ['defer', 1, 1], ['release claim', 1, 1]],
  [...begun, ['defer', 1, 5], ['begin', 1, 1], ['defer', 1, 1]],
  [...begun, ['refuse', 1, 1]],
  [...begun, late, ['refuse', 1, 1]],
  [...begun, ['quarantine', 1, 1], ['giveUp', 1, 1]],
  [...begun, ['quarantine', 1, 1], ['settle', 1, 1]],
  [...begun, ['quarantine', 1, 4], ['quarantine', 1, 1], ['begin', 1, 1]],
  [
    ['setAside', 1, 2],
    ['landUnseen', 1, 1],
    ['loseUnseen', 1, 1],
    ['finish', 1, 1],
  ],
  [['withdraw amount', 10, 2]],
  [['withdraw amount', 9_000, 5]],
];
const RUNS = rare.length + 45;
/** Shorter sequences that are tried after a failure, so that it is reported soon. */
const MAX_SHRUNK = 50;

describe('the invariant of a pool', () => {
  it('holds after every step of any sequence of operations, and every step has the predicted result', async () => {
    const step = fc.tuple(fc.constantFrom(...operations), fc.nat(10_000), fc.nat(10_000));
    const done = new Map<string, number>();
    const seed = chooseSeed();
    process.stderr.write(`FORECOURT_SEED=${seed}\n`);
    const run = async (placement: PlacementRules, hasHistory: boolean, steps: Step[]) => {
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
    };
    let shrunk = 0;
    let hasFailed = false;
    const property = fc.asyncProperty(
      fc.constantFrom(rules, noTreasury),
      fc.boolean(),
      fc.array(step, { minLength: 60, maxLength: 200, size: 'max' }),
      async (placement, hasHistory, steps) => {
        if (hasFailed && ++shrunk > MAX_SHRUNK) return;
        await run(placement, hasHistory, steps).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      },
    );
    const examples = rare.map((steps): [PlacementRules, boolean, Step[]] => [rules, true, steps]);
    await fc.assert(property, { seed, numRuns: RUNS, examples });
    const missing = worthwhile.filter((what) => !done.has(what));
    expect([seed, missing]).toEqual([seed, []]);
  });
});
