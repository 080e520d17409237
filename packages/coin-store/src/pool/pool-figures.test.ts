import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { beginNew } from '../executions/execution.test-support.js';
import { reserve, useTestStore } from '../pool.test-support.js';
import { readPoolFigures } from './pool-figures.js';
import { readPoolTotals } from './pool-totals.js';

const store = useTestStore();

describe('the figures of a pool', () => {
  it('show its totals and its available coins by size', async () => {
    const { sponsor } = await store.aPool(700_000, 600_000, 1_200_000, 50_000, 9_000_000);
    const figures = await readPoolFigures(store.redis, sponsor);
    expect(figures.totals).toEqual(await readPoolTotals(store.redis, sponsor));
    expect(new Map(figures.sizes.map(({ atLeast, coins }) => [atLeast, coins]))).toEqual(
      new Map([
        [524_288n, 2],
        [1_048_576n, 1],
      ]),
    );
    expect(figures.reservations).toEqual({ reserved: 0, claimed: 0, executing: 0, quarantined: 0 });
  });

  it('show the age of the oldest execution since its beginning, also after a resumption', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    await reserve(store.redis, sponsor);
    const { job: older } = await beginNew(store.redis, sponsor, 'D1');
    const age = 300;
    await delay(age);
    await beginNew(store.redis, sponsor, 'D2');
    await only(beginExecutions(store.redis, sponsor, 'ex-2', [older]));
    const before = await readPoolFigures(store.redis, sponsor);
    expect(before.reservations).toEqual({ reserved: 1, claimed: 0, executing: 2, quarantined: 0 });
    expect(before.oldestAgeMs.executing).toBeGreaterThanOrEqual(age);
    expect(before.oldestAgeMs.quarantined).toBe(0);

    const held = { ...older, message: 'locked', epoch: 1n };
    await quarantineExecution(store.redis, sponsor, held);
    const after = await readPoolFigures(store.redis, sponsor);
    expect(after.reservations).toMatchObject({ executing: 1, quarantined: 1 });
    expect(after.oldestAgeMs.quarantined).toBeGreaterThanOrEqual(age);
    expect(after.oldestAgeMs.executing).toBeLessThan(after.oldestAgeMs.quarantined - age / 2);
  });
});
