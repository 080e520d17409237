import { auditPool, readPoolTotals } from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import { expect } from '@jest/globals';
import type { TestFleet, TestPool } from '../test-fleet.test-support.js';

/** A pool whose coins have these balances. */
export async function adoptedPool(fleet: TestFleet, ...funds: bigint[]): Promise<TestPool> {
  const pool = await fleet.aPool(funds);
  await pool.correction.adoptNewCoins(pool.sponsor);
  return pool;
}

/** The sponsor's coins on the ledger. */
export async function coinsOnLedger({ ledger, sponsor }: TestPool): Promise<GasCoin[]> {
  const coins: GasCoin[] = [];
  for await (const page of ledger.listGasCoins(sponsor)) coins.push(...page);
  return coins;
}

/**
 * Joins the coins into the first one, like another wallet with the sponsor's key. Returns the transaction's
 * digest.
 */
export async function spend(
  { ledger, sponsor, signer }: TestPool,
  coins: readonly GasCoin[],
): Promise<string> {
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const request = { sponsor, coins, gasPrice, gasBudget: 30_000_000n };
  const { bytes, digest } = await ledger.buildConsolidation(request);
  const submission = await ledger.submit(bytes, [await signer.signTransaction(bytes)]);
  expect(submission.kind).toBe('executed');
  return digest;
}

/** Asserts that pool and ledger agree, and that these funds are there but for the gas. */
export async function expectExact(pool: TestPool, funds: bigint): Promise<void> {
  const { gasCharged } = await readPoolTotals(pool.redis, pool.sponsor);
  expect((await pool.balance()) + gasCharged).toBe(funds);
  const { differences } = await auditPool(pool.redis, pool.ledger, pool.sponsor);
  expect(differences).toEqual([]);
}
