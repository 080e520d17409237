import { afterEach, describe, expect, it } from '@jest/globals';
import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { Redis } from 'ioredis';
import { sponsor } from '../support/application.js';
import { startDevnet } from '../support/start-devnet.js';
import { startTestSystem } from '../support/start-test-system.js';
import type { TestSystem } from '../support/test-system.js';
import { useSystem } from '../support/use-system.js';

const FUNDS = 1_000_000_000_000n;
/** Far longer than a coin-pool takes to start and to say why it waits. */
const WAITS_MS = 20_000;

describe('a large pool', () => {
  const system = useSystem({
    sponsorFunds: [FUNDS],
    coinPools: 2,
    env: { POOL_TARGET_COINS: '1200', POOL_MIN_COINS: '600' },
  });

  it('fills from one giant coin, in parallel, and to the last unit', async () => {
    const totals = await system.totals();
    expect(totals.coins.available).toBeGreaterThanOrEqual(1_200n);
    const { balance } = await system.settledTotals();
    expect(balance + totals.gasCharged).toBe(FUNDS);
    expect(await system.differences()).toEqual([]);
    const logs = await Promise.all(system.services('coin-pool').map((pool) => pool.log()));
    expect(logs.filter((log) => log.includes('Pool leadership acquired'))).toHaveLength(1);
    expect(logs.some((log) => /"coins":\d+,"target":1200/.test(log))).toBe(true);
  });

  it('is not served on a network other than its own, and the log says what to do', async () => {
    const other = await startDevnet();
    try {
      // The coin-pool waits for a node of its network.
      const { exitCode, output } = await system.tryCoinPool({ LEDGER_URL: other.url }, WAITS_MS);
      expect(exitCode).toBeNull();
      const chain = await system.ledger.getChainIdentifier();
      expect(output).toContain(chain);
      expect(output).toContain(await new IotaClient({ url: other.url }).getChainIdentifier());
      expect(output).toContain('LEDGER_URL');
    } finally {
      await other.stop();
    }
  });

  it('is neither served nor audited by a release that cannot read its format, and the log says what to do', async () => {
    const redis = new Redis(system.redisUrl);
    const key = `fc:{${system.sponsor}}:version`;
    try {
      expect(await redis.get(key)).toBe('1');
      await redis.set(key, '2');
      for (const [{ exitCode, output }, code] of [
        [await system.tryCoinPool({}), 1],
        [await system.tryExecutor({}), 1],
        [await system.audit(), 2],
      ] as const) {
        expect(exitCode).toBe(code);
        expect(output).toContain(
          `${system.sponsor} is stored in version 2, but this release reads versions up to 1`,
        );
        expect(output).toContain('docs/operations/upgrades.md');
      }
      expect(await redis.get(key)).toBe('2');
    } finally {
      await redis.set(key, '1');
      redis.disconnect();
    }
  });

  it('is audited: the audit names a coin that another party has moved away', async () => {
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
    const wallet = Ed25519Keypair.fromSecretKey(system.sponsorSecret);
    const { data } = await system.ledger.getCoins({ owner: system.sponsor, limit: 2 });
    const tx = new Transaction();
    tx.transferObjects([data[1]!.coinObjectId], new Ed25519Keypair().toIotaAddress());
    tx.setGasPayment([{ ...data[0]!, objectId: data[0]!.coinObjectId, version: data[0]!.version }]);
    await system.ledger.signAndExecuteTransaction({ signer: wallet, transaction: tx });
    const { exitCode, output } = await system.audit();
    expect(exitCode).toBe(1);
    expect(output).toContain(data[1]!.coinObjectId);
    expect(output).toContain('is not on the ledger');
  });
});

describe('the pool', () => {
  let system: TestSystem;
  afterEach(() => system?.stop());

  it('adopts new funds when they arrive and refills when it runs low', async () => {
    system = await startTestSystem({
      sponsorFunds: [450_000_000n],
      env: { POOL_TARGET_COINS: '4', POOL_MIN_COINS: '3', POOL_SCAN_MS: '200' },
    });
    const before = await system.settledTotals();
    await system.control.mint(system.sponsor, 2_000_000_000);
    const { until, totals } = system;
    await until(async () => (await totals()).balance.treasury > 0n);
    expect((await system.settledTotals()).balance).toBe(before.balance + 2_000_000_000n);
    // Each transaction reduces its coin by more than the pool's target allows; the treasury replaces the
    // coins.
    const burn = (tx: Transaction) => system.demo.burn(tx, 92_000);
    for (let i = 0; i < 4; i++) {
      const { answer } = await sponsor(system.application, { build: burn, gasBudget: 96_000_000 });
      expect(answer.body.effects?.status.status).toBe('success');
    }
    // The pool refills below its minimum, perhaps between these transactions; without a refill, one coin or
    // none would be left.
    await until(async () => (await totals()).coins.available >= 3n);
    expect(await system.differences()).toEqual([]);
  });

  /** More than the number at which dust is consolidated. */
  const DUST = 53;

  it('consolidates dust into coins that can sponsor', async () => {
    system = await startTestSystem({
      env: { POOL_SCAN_MS: '200', POOL_TARGET_COINS: '5', POOL_MIN_COINS: '1' },
    });
    const before = await system.settledTotals();
    for (let i = 0; i < DUST; i++) await system.control.mint(system.sponsor, 9_000_000);
    const { until, totals } = system;
    await until(async () => (await totals()).smashed >= 4n);
    const { gasCharged } = await totals();
    const after = await system.settledTotals();
    expect(after.coins).toBeLessThan(before.coins + DUST);
    // The deposits of so many merged coins exceed the fee.
    expect(gasCharged).toBeLessThan(0n);
    expect(await system.differences()).toEqual([]);
  });

  it('continues to be filled by another replica when a coin-pool is killed', async () => {
    system = await startTestSystem({
      coinPools: 2,
      env: { POOL_TARGET_COINS: '20', POOL_MIN_COINS: '20' },
    });
    const { until, totals, control } = system;
    await control.fault({ kind: 'latency', ms: 400, method: 'iota_executeTransactionBlock' });
    const pools = system.services('coin-pool');
    const logs = await Promise.all(pools.map((pool) => pool.log()));
    const leader = pools[logs.findIndex((log) => log.includes('Pool leadership acquired'))]!;
    // Uses up a coin, so that the pool is below its minimum and a split begins.
    const burn = (tx: Transaction) => system.demo.burn(tx, 92_000);
    await sponsor(system.application, { build: burn, gasBudget: 96_000_000 });
    await until(async () => (await totals()).coins.maintenance > 0n);
    leader.kill('SIGKILL');
    await control.clearFaults();
    await until(async () => {
      const { coins } = await totals();
      return coins.maintenance === 0n && coins.available >= 20n;
    });
    expect(await system.differences()).toEqual([]);
  });
});
