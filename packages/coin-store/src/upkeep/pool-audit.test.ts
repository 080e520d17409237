import { describe, expect, it } from '@jest/globals';
import type { GasCoin, Ledger } from '@forecourt/ledger';
import { beginNew } from '../executions/execution.test-support.js';
import { aCoin, reserve, useTestStore } from '../pool.test-support.js';
import { beginMaintenance } from './maintenance-operations.js';
import { auditPool } from './pool-audit.js';

const store = useTestStore();

/** A ledger that shows these coins, those of the last look repeatedly; it counts the looks. */
function aLedger(...looks: (readonly GasCoin[])[]) {
  const seen = { looks: 0 };
  const ledger = {
    async *listGasCoins() {
      const coins = looks[Math.min(seen.looks++, looks.length - 1)]!;
      yield coins.slice(0, 1);
      yield coins.slice(1);
    },
    readGasCoins: async () => new Map(),
  } as unknown as Ledger;
  return { ledger, seen };
}

const sumOf = (coins: readonly GasCoin[]) => ({
  coins: BigInt(coins.length),
  balance: coins.reduce((sum, { balance }) => sum + balance, 0n),
});

describe('an audit of a pool', () => {
  it('ends at the first look that finds both sides equal, with coins in any state', async () => {
    const { sponsor, coins } = await store.aPool(700_000, 800_000, 50_000);
    await reserve(store.redis, sponsor);
    const { ledger, seen } = aLedger(coins);
    const audit = await auditPool(store.redis, ledger, sponsor);
    expect(audit).toMatchObject({
      sponsor,
      differences: [],
      isExact: true,
      ledger: sumOf(coins),
      compared: { pool: sumOf(coins), ledger: sumOf(coins) },
      inFlight: { pool: sumOf([]), ledger: sumOf([]) },
    });
    expect(seen.looks).toBe(1);
  });

  it('leaves out coins of transactions in flight, which may be changing right now', async () => {
    const { redis } = store;
    const { sponsor, coins } = await store.aPool(700_000, 50_000);
    const [large, dust] = coins as [GasCoin, GasCoin];
    const changed = { ...large, version: 9, balance: 600_000n };
    await beginNew(redis, sponsor, 'D1');
    const audit = await auditPool(redis, aLedger([changed, dust]).ledger, sponsor);
    expect(audit).toMatchObject({
      differences: [],
      isExact: true,
      compared: { pool: sumOf([dust]), ledger: sumOf([dust]) },
      inFlight: { pool: sumOf([large]), ledger: sumOf([changed]) },
    });
  });

  it('leaves out unknown coins while a split may be making them', async () => {
    const { sponsor, coins } = await store.aPool(9_000_000, 700_000);
    const [treasury, available] = coins as [GasCoin, GasCoin];
    await beginMaintenance(store.redis, sponsor, {
      kind: 'split',
      from: 'treasury',
      maxCoins: 1,
      leaseMs: 60_000,
    });
    const made = aCoin(1_000_000);
    const audit = await auditPool(store.redis, aLedger([available, made]).ledger, sponsor);
    expect(audit).toMatchObject({
      differences: [],
      isExact: true,
      inFlight: { pool: sumOf([treasury]), ledger: sumOf([made]) },
    });
  });

  it('does not report a difference that another look does not find', async () => {
    const { sponsor, coins } = await store.aPool(700_000);
    const { ledger, seen } = aLedger([], coins);
    const audit = await auditPool(store.redis, ledger, sponsor);
    expect([audit.differences, audit.isExact, seen.looks]).toEqual([[], true, 2]);
  });

  it('reports the differences of every look: coins of one side only, and fields that differ', async () => {
    const { sponsor, coins } = await store.aPool(700_000, 800_000, 900_000);
    const [equal, changed, missing] = coins as [GasCoin, GasCoin, GasCoin];
    const foreign = aCoin(5);
    const later = { ...changed, version: 2, digest: 'Digest2', balance: 1n };
    const { ledger, seen } = aLedger([equal, later, foreign]);
    const audit = await auditPool(store.redis, ledger, sponsor);
    const place = `coin ${changed.objectId} (available)`;
    expect(audit.differences.toSorted()).toEqual(
      [
        `${place}: version is 2 on the ledger, 1 in the pool`,
        `${place}: digest is Digest2 on the ledger, Digest1 in the pool`,
        `${place}: balance is 1 on the ledger, 800000 in the pool`,
        `coin ${missing.objectId} (available) is not on the ledger`,
        `coin ${foreign.objectId} is on the ledger but not in the pool`,
      ].toSorted(),
    );
    expect([audit.isExact, seen.looks]).toEqual([false, 4]);
    expect(audit.compared).toEqual({
      pool: sumOf(coins),
      ledger: sumOf([equal, later, foreign]),
    });
  });
});
