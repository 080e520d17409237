import { describe, expect, it } from '@jest/globals';
import { readPoolTotals } from '@forecourt/coin-store';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { expectExact } from './adopted-pool.test-support.js';

const fleet = useTestFleet();

describe('consolidating dust', () => {
  const dust = (count: number) => Array<bigint>(count).fill(9_000_000n);
  const consolidate = async (pool: TestPool) => {
    await pool.correction.adoptNewCoins(pool.sponsor);
    await pool.consolidator.consolidate(pool.sponsor);
    return (await readPoolTotals(pool.redis, pool.sponsor)).coins;
  };

  it('waits until there is enough dust, then makes one coin of it', async () => {
    const pool = await fleet.aPool([100_000_000n, ...dust(4)], { consolidateAt: 5, minCoins: 1 });
    expect(await consolidate(pool)).toMatchObject({ dust: 4n, available: 1n });
    await fleet.mint(pool.sponsor, 9_000_000n);
    expect(await consolidate(pool)).toMatchObject({ dust: 0n, available: 2n });
    expect((await readPoolTotals(pool.redis, pool.sponsor)).smashed).toBe(4n);
    await expectExact(pool, 145_000_000n);
  });

  it('does not wait when the pool is low and the dust makes a usable coin', async () => {
    const pool = await fleet.aPool(dust(12));
    expect(await consolidate(pool)).toMatchObject({ dust: 0n, available: 1n });
    await expectExact(pool, 108_000_000n);
  });
});
