import { suspendPool } from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { ReconciliationsService } from './reconciliations.service.js';

const fleet = useTestFleet();

async function adopted(...funds: bigint[]): Promise<TestPool> {
  const pool = await fleet.aPool(funds);
  await pool.comparison.adoptNewCoins(pool.sponsor);
  return pool;
}

const serviceOf = ({ recovery, directory }: TestPool) =>
  new ReconciliationsService(recovery, directory);

/** Another wallet with the sponsor's key joins two coins. */
async function joinTwoCoins({ ledger, sponsor, signer }: TestPool): Promise<void> {
  const coins: GasCoin[] = [];
  for await (const page of ledger.listGasCoins(sponsor)) coins.push(...page);
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const { bytes } = await ledger.buildConsolidation({
    sponsor,
    coins: coins.slice(0, 2),
    gasPrice,
    gasBudget: 30_000_000n,
  });
  await ledger.submit(bytes, [await signer.signTransaction(bytes)]);
}

describe('a reconciliation', () => {
  it('adopts new coins, corrects those that were changed elsewhere, and leaves no difference', async () => {
    const pool = await adopted(50_000_000n, 60_000_000n);
    await joinTwoCoins(pool);
    await fleet.mint(pool.sponsor, 70_000_000n);
    const { sponsor } = pool;
    const service = serviceOf(pool);
    const both = await Promise.all([
      service.reconcile({ sponsor }),
      service.reconcile({ sponsor }),
    ]);
    // The second one joined the first.
    const result = { adopted: 1, corrected: 2, differences: 0 };
    expect(both).toEqual([{ result }, { result }]);
    const again = { adopted: 0, corrected: 0, differences: 0 };
    expect(await service.reconcile({ sponsor })).toEqual({ result: again });
  });

  it('is refused for an unknown sponsor, and while the pool is suspended', async () => {
    const pool = await adopted(50_000_000n);
    const { redis, sponsor } = pool;
    const service = serviceOf(pool);
    await expect(service.reconcile({ sponsor: '0x7' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await suspendPool(redis, sponsor, 60_000);
    await expect(service.reconcile({ sponsor })).rejects.toMatchObject({ code: 'POOL_REFUSED' });
  });
});
