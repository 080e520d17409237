import { expect } from '@jest/globals';
import {
  beginMaintenance,
  bindMaintenance,
  listMaintenance,
  readPoolTotals,
} from '@forecourt/coin-store';
import { maintenanceBudget } from '@forecourt/ledger';
import { waitUntil } from '@forecourt/testing/system';
import type { TestPool } from '../test-fleet.test-support.js';
import { expectExact } from './adopted-pool.test-support.js';

export const FUNDS = 1_000_000_000n;
const SPLIT_AMOUNT = 100_000_000n;
const SHORT_LEASE_MS = 1;

/** Takes one coin of the treasury for a split. */
export const SPLIT_REQUEST = {
  kind: 'split',
  from: 'treasury',
  maxCoins: 1,
  leaseMs: SHORT_LEASE_MS,
} as const;

/** The state that a process leaves when it dies after it has bound a split. */
export async function boundSplit(pool: TestPool, expirationEpoch?: bigint) {
  const { redis, ledger, sponsor } = pool;
  const begun = await beginMaintenance(redis, sponsor, SPLIT_REQUEST);
  if (!begun) throw new Error('nothing to split');
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const gasBudget = maintenanceBudget(3, gasPrice);
  const gas = { gasPrice, gasBudget, ...(expirationEpoch !== undefined && { expirationEpoch }) };
  const split = { sponsor, coins: begun.coins, amount: SPLIT_AMOUNT, count: 3, ...gas };
  const { bytes, digest } = await ledger.buildSplit(split);
  const txBytes = Buffer.from(bytes).toString('base64');
  const { operationId } = begun;
  const binding = { operationId, digest, txBytes, amount: SPLIT_AMOUNT, leaseMs: SHORT_LEASE_MS };
  expect(await bindMaintenance(redis, sponsor, binding)).not.toBeNull();
  return { ...begun, bytes, digest };
}

/** Resolves every operation whose lease has ended. */
export async function resolve(pool: TestPool): Promise<void> {
  await waitUntil(async () =>
    (await listMaintenance(pool.redis, pool.sponsor)).every(({ leaseOver }) => leaseOver),
  );
  await pool.resolver.resolveAll(pool.sponsor);
}

/** Ends the lease of an operation early. */
export async function endLease({ redis, sponsor }: TestPool): Promise<void> {
  const [operation] = await listMaintenance(redis, sponsor);
  const { operationId, digest, txBytes, amount } = operation!;
  const binding = {
    operationId,
    digest: digest!,
    txBytes: txBytes!,
    amount,
    leaseMs: SHORT_LEASE_MS,
  };
  await bindMaintenance(redis, sponsor, binding);
}

/** Asserts that no coin is in maintenance, this many coins are available, and pool and ledger agree. */
export async function expectNoneBound(pool: TestPool, available: bigint): Promise<void> {
  const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
  expect(coins).toMatchObject({ maintenance: 0n, available });
  await expectExact(pool, FUNDS);
}
