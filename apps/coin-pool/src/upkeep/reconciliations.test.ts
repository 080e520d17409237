import { suspendPool } from '@forecourt/coin-store';
import { describe, expect, it } from '@jest/globals';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { adoptedPool, coinsOnLedger, spend } from './adopted-pool.test-support.js';
import { ReconciliationsController } from './reconciliations.controller.js';

const fleet = useTestFleet();

const serviceOf = ({ recovery, registered }: TestPool) =>
  new ReconciliationsController(recovery, registered);

describe('a reconciliation', () => {
  it('adopts new coins, corrects those that were changed elsewhere, and leaves no difference', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n, 60_000_000n);
    await spend(pool, await coinsOnLedger(pool));
    await fleet.mint(pool.sponsor, 70_000_000n);
    const { sponsor } = pool;
    const service = serviceOf(pool);
    const both = await Promise.all([
      service.reconcilePool({ sponsor }),
      service.reconcilePool({ sponsor }),
    ]);
    // The second one joined the first.
    const result = { adopted: 1, corrected: 2, differences: 0 };
    expect(both).toEqual([{ result }, { result }]);
    const again = { adopted: 0, corrected: 0, differences: 0 };
    expect(await service.reconcilePool({ sponsor })).toEqual({ result: again });
  });

  it('is refused for an unknown sponsor, and while the pool is suspended', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n);
    const { redis, sponsor } = pool;
    const service = serviceOf(pool);
    await expect(service.reconcilePool({ sponsor: '0x7' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await suspendPool(redis, sponsor, 60_000);
    await expect(service.reconcilePool({ sponsor })).rejects.toMatchObject({
      code: 'POOL_REFUSED',
    });
  });
});
