import { describe, expect, it } from '@jest/globals';
import { auditPool, beginMaintenance, readPoolTotals } from '@forecourt/coin-store';
import type { Ledger } from '@forecourt/ledger';
import { inheritedEnvironment, runApp } from '@forecourt/testing/system';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { adoptedPool, coinsOnLedger, spend } from './adopted-pool.test-support.js';

const fleet = useTestFleet();

const audit = (pool: TestPool) => auditPool(pool.redis, pool.ledger, pool.sponsor);

/** Runs the command in a separate process. */
function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const environment = { ...inheritedEnvironment(), LEDGER_URL: fleet.ledgerUrl, ...env };
  return runApp('cli', environment, { entry: 'forecourt.js', args: ['audit', ...args] });
}

describe('auditPool', () => {
  it('finds no differences in an exact pool, u64 balances included', async () => {
    const pool = await adoptedPool(fleet, 2n ** 53n + 1n, 50_000_000n, 1_000n);
    const { differences, isExact, ledger, totals } = await audit(pool);
    expect([differences, isExact]).toEqual([[], true]);
    expect(ledger).toEqual({ coins: 3n, balance: 2n ** 53n + 50_001_001n });
    expect(totals.coins).toMatchObject({ treasury: 1n, available: 1n, dust: 1n });
  });

  it('names a coin missing from the pool, and one missing on the ledger', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n, 60_000_000n);
    await fleet.mint(pool.sponsor, 70_000_000n);
    const before = await audit(pool);
    expect(before.differences).toHaveLength(1);
    expect(before.differences[0]).toMatch(/on the ledger but not in the pool/);
    await pool.correction.adoptNewCoins(pool.sponsor);
    const [kept, merged] = await coinsOnLedger(pool);
    await spend(pool, [kept!, merged!]);
    const { differences } = await audit(pool);
    expect(differences).toContainEqual(`coin ${merged!.objectId} (available) is not on the ledger`);
    expect(differences.filter((one) => one.includes(kept!.objectId))).toHaveLength(3);
  });

  it('compares coins at rest, and reports the number and balance of those in flight', async () => {
    const pool = await adoptedPool(fleet, 1_000_000_000n, 50_000_000n);
    const request = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 60_000 } as const;
    await beginMaintenance(pool.redis, pool.sponsor, request);
    const atRest = { coins: 1n, balance: 50_000_000n };
    const beingSplit = { coins: 1n, balance: 1_000_000_000n };
    expect(await audit(pool)).toMatchObject({
      compared: { pool: atRest, ledger: atRest },
      inFlight: { pool: beingSplit, ledger: beingSplit },
      differences: [],
      isExact: true,
    });
  });

  it('adopts no coin of another owner, whose page a proxy has mixed up with the sponsor’s', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n);
    const other = await adoptedPool(fleet, 60_000_000n);
    await fleet.mint(pool.sponsor, 70_000_000n);
    const mixed: Ledger = {
      ...pool.ledger,
      listGasCoins: () => pool.ledger.listGasCoins(other.sponsor),
    };
    const { correction } = pool.with({ ledger: mixed });
    expect(await correction.adoptNewCoins(pool.sponsor)).toBe(0);
    expect(await pool.correction.adoptNewCoins(pool.sponsor)).toBe(1);
    expect((await audit(pool)).differences).toEqual([]);
  });

  it('finds no difference, and nothing to correct, where the pages of a node miss a coin', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n, 60_000_000n, 70_000_000n);
    const ledger: Ledger = {
      ...pool.ledger,
      async *listGasCoins(owner) {
        for await (const page of pool.ledger.listGasCoins(owner)) yield page.slice(1);
      },
    };
    const { correction } = pool.with({ ledger });
    expect(await correction.correct(pool.sponsor)).toEqual({ corrected: 0, adopted: 0 });
    expect(await auditPool(pool.redis, ledger, pool.sponsor)).toMatchObject({
      differences: [],
      isExact: true,
      ledger: { coins: 3n, balance: 180_000_000n },
    });
  });

  it('is not exact while every look finds another difference, though none lasts', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n, 60_000_000n);
    let looks = 0;
    const ledger: Ledger = {
      ...pool.ledger,
      async *listGasCoins(owner) {
        const changed = looks++ % 2;
        for await (const page of pool.ledger.listGasCoins(owner)) {
          yield page.map((coin, index) =>
            index === changed ? { ...coin, balance: coin.balance + 1n } : coin,
          );
        }
      },
    };
    const { differences, isExact, compared } = await auditPool(pool.redis, ledger, pool.sponsor);
    expect([differences, isExact]).toEqual([[], false]);
    expect(compared).toMatchObject({
      pool: { coins: 2n, balance: 110_000_000n },
      ledger: { coins: 2n, balance: 110_000_001n },
    });
  });

  it('reports totals that differ from the coins', async () => {
    const pool = await adoptedPool(fleet, 50_000_000n);
    await fleet.redis.hincrby(`fc:{${pool.sponsor}}:totals`, 'funds', 1);
    expect((await audit(pool)).differences).toEqual([
      'available coins hold 50000000, the totals say 50000001',
    ]);
    await fleet.redis.hincrby(`fc:{${pool.sponsor}}:totals`, 'funds', -1);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).balance.available).toBe(50_000_000n);
  });
});

describe('the audit command', () => {
  it('exits with 2 without Redis, without a pool, and without a ledger node', async () => {
    const pool = fleet.server.url;
    expect((await run({ REDIS_URL: 'redis://127.0.0.1:1' })).exitCode).toBe(2);
    const empty = await run({ REDIS_URL: `${pool}/7` });
    expect([empty.exitCode, empty.output]).toEqual([2, expect.stringContaining('no pool')]);
    await adoptedPool(fleet, 50_000_000n);
    const noNode = await run({ REDIS_URL: pool, LEDGER_URL: 'http://127.0.0.1:1' });
    expect(noNode.exitCode).toBe(2);
  });
});
