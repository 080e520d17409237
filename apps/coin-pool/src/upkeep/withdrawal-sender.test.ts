import { afterEach, describe, expect, it } from '@jest/globals';
import {
  abortMaintenance,
  auditPool,
  bindMaintenance,
  drainSponsor,
  listMaintenance,
  orderWithdrawal,
  readDrain,
  readPoolTotals,
} from '@forecourt/coin-store';
import { waitUntil } from '@forecourt/testing/system';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { MaintenanceFailed } from './upkeep-task.js';

const fleet = useTestFleet();
afterEach(() => fleet.clearFaults());

const EXECUTE = 'iota_executeTransactionBlock';
let last = 0;
/** An address that owns nothing yet. */
const newAddress = () => `0x${(++last).toString(16).padStart(64, 'c')}`;

/** A drained pool of these funds, with an ordered withdrawal. */
async function ordered(funds: readonly bigint[], to: string, allowed = [to]): Promise<TestPool> {
  const pool = await fleet.aPool(funds, { withdrawAddresses: allowed });
  await pool.correction.adoptNewCoins(pool.sponsor);
  await drainSponsor(pool.redis, pool.sponsor, { reason: 'a', by: 'ops', since: 1 });
  const order = { to, by: 'ops', reason: 'a' };
  expect(await orderWithdrawal(pool.redis, pool.sponsor, order)).toBe('ordered');
  return pool;
}

async function balanceAt(address: string): Promise<bigint> {
  let sum = 0n;
  for await (const page of fleet.ledger.listGasCoins(address)) {
    for (const { balance } of page) sum += balance;
  }
  return sum;
}

const withdrawalOf = async ({ redis, sponsor }: TestPool) =>
  (await readDrain(redis, sponsor)).withdrawal!;

async function untilEnded(pool: TestPool): Promise<void> {
  await waitUntil(async () => {
    await pool.withdrawals.send(pool.sponsor);
    return (await withdrawalOf(pool)).ended !== null;
  });
}

async function expectExact(pool: TestPool, funds: bigint, to: string): Promise<void> {
  const { gas, balance } = await withdrawalOf(pool);
  const { gasCharged, coins } = await readPoolTotals(pool.redis, pool.sponsor);
  expect(coins.maintenance).toBe(0n);
  expect(await balanceAt(to)).toBe(balance - gas);
  expect((await pool.balance()) + (await balanceAt(to)) + gasCharged).toBe(funds);
  const audit = await auditPool(pool.redis, pool.ledger, pool.sponsor);
  expect([audit.differences, audit.isExact]).toEqual([[], true]);
}

describe('a withdrawal', () => {
  it('sends all coins, dust included, and pool, ledger and address agree', async () => {
    const to = newAddress();
    const funds = [1_000_000_000n, 150_000_000n, 1n, 2_000_000n];
    const pool = await ordered(funds, to);
    await untilEnded(pool);
    expect(await pool.balance()).toBe(0n);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 4, digest: expect.any(String) });
    await expectExact(pool, 1_152_000_001n, to);
    // A search of the ledger brings no coin back.
    await pool.correction.adoptNewCoins(pool.sponsor, true);
    expect(await pool.balance()).toBe(0n);
  });

  it('leaves coins that are not worth their gas, and logs that', async () => {
    const to = newAddress();
    const pool = await ordered([5n, 1_000n], to);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 0, digest: null });
    expect(pool.logged.at(-1)?.message).toMatch(/not worth its gas/);
    await expectExact(pool, 1_005n, to);
  });

  it('continues although its first transaction took so long to build that another process has returned the coins', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to);
    const ledger: TestPool['ledger'] = {
      ...pool.ledger,
      async buildWithdrawal(request) {
        const [operation] = await listMaintenance(pool.redis, pool.sponsor);
        await abortMaintenance(pool.redis, pool.sponsor, operation!);
        return pool.ledger.buildWithdrawal(request);
      },
    };
    await pool.with({ ledger }).withdrawals.send(pool.sponsor);
    expect((await withdrawalOf(pool)).ended).toBeNull();
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 1, digest: expect.any(String) });
  });

  it('sends nothing to an address outside the configuration, even when ordered', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to, [newAddress()]);
    const before = await fleet.requestsOf(EXECUTE);
    await expect(pool.withdrawals.send(pool.sponsor)).rejects.toThrow(/WITHDRAW_ADDRESSES/);
    const itself = await ordered([1_000_000_000n], to);
    await fleet.redis.hset(`fc:{${itself.sponsor}}:withdrawal`, 'to', itself.sponsor);
    await expect(itself.withdrawals.send(itself.sponsor)).rejects.toThrow(/WITHDRAW_ADDRESSES/);
    expect(await fleet.requestsOf(EXECUTE)).toBe(before);
    expect(await pool.balance()).toBe(1_000_000_000n);
  });

  it('leaves the funds in the pool when the ledger refuses it, until it is repeated', async () => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n], to);
    await fleet.fault({ kind: 'refuse', preset: 'gas-price' });
    await expect(pool.withdrawals.send(pool.sponsor)).rejects.toBeInstanceOf(MaintenanceFailed);
    expect(await pool.balance()).toBe(1_000_000_000n);
    await fleet.clearFaults();
    await untilEnded(pool);
    await expectExact(pool, 1_000_000_000n, to);
  });
});

describe('a withdrawal with unknown outcome', () => {
  it.each([
    ['its answer was lost', { kind: 'loseReply', times: 1 }],
    ['it timed out and landed', { kind: 'transient', when: 'after', times: 1 }],
    ['it timed out and did not land', { kind: 'transient', when: 'never', times: 1 }],
  ])('lands once, and no other begins meanwhile: %s', async (_what, fault) => {
    const to = newAddress();
    const pool = await ordered([1_000_000_000n, 2_000_000_000n], to);
    await fleet.fault({ ...fault, method: EXECUTE });
    await pool.withdrawals.send(pool.sponsor);
    const [operation] = await listMaintenance(pool.redis, pool.sponsor);
    const { operationId, digest, txBytes, amount, kind } = operation!;
    expect(kind).toBe('withdrawal');
    await pool.withdrawals.send(pool.sponsor);
    expect(await listMaintenance(pool.redis, pool.sponsor)).toHaveLength(1);
    const binding = { operationId, digest: digest!, txBytes: txBytes!, amount, leaseMs: 1 };
    await bindMaintenance(pool.redis, pool.sponsor, binding);
    await waitUntil(async () => (await listMaintenance(pool.redis, pool.sponsor))[0]!.leaseOver);
    await pool.resolver.resolveAll(pool.sponsor);
    await untilEnded(pool);
    expect(await withdrawalOf(pool)).toMatchObject({ coins: 2, digest });
    await expectExact(pool, 3_000_000_000n, to);
  });
});
