import { describe, expect, it } from '@jest/globals';
import {
  aCoin,
  caller,
  claim,
  reserve,
  retentionMs,
  rules,
  useTestStore,
} from '../pool.test-support.js';
import { drainSponsor, readDrain, undrainSponsor } from '../pool/drains.js';
import { adoptCoins } from '../pool/pool-coins.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { releaseReservation } from '../reservations/reservations.js';
import { runScript } from '../scripts/prepare-coin-store.js';
import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  listMaintenance,
} from './maintenance-operations.js';
import {
  beginWithdrawal,
  checkWithdrawal,
  endWithdrawal,
  finishWithdrawal,
  orderWithdrawal,
} from './withdrawals.js';

const store = useTestStore();

const to = `0x${'c0'.repeat(32)}`;
const elsewhere = `0x${'d0'.repeat(32)}`;
const order = { to, by: 'ops', reason: 'rotation' };
const request = { to, maxCoins: 255, leaseMs: 10_000 };

const drain = (sponsor: string) =>
  drainSponsor(store.redis, sponsor, { reason: 'rotation', by: 'ops', since: 1 });

/** A drained pool of these coins with an ordered withdrawal. */
async function ordered(...balances: number[]) {
  const pool = await store.aPool(...balances);
  await drain(pool.sponsor);
  expect(await orderWithdrawal(store.redis, pool.sponsor, order)).toBe('ordered');
  return pool;
}

const orders = (sponsor: string) => orderWithdrawal(store.redis, sponsor, order);
const begins = (sponsor: string) => beginWithdrawal(store.redis, sponsor, request);

describe('an order to withdraw', () => {
  it('is refused while the sponsor serves, or a coin is reserved, claimed or in maintenance', async () => {
    const { sponsor } = await store.aPool(1_000_000, 1_000_000, 90_000_000);
    expect(await orders(sponsor)).toBe('not drained');
    const split = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 10_000 } as const;
    const operation = await beginMaintenance(store.redis, sponsor, split);
    const { reservationId } = await reserve(store.redis, sponsor);
    const claimed = await reserve(store.redis, sponsor);
    await claim(store.redis, sponsor, claimed.reservationId, 'D1');
    await drain(sponsor);
    expect(await orders(sponsor)).toBe('in flight');
    await releaseReservation(store.redis, sponsor, { reservationId, caller, retentionMs });
    expect(await orders(sponsor)).toBe('in flight');
    await abortMaintenance(store.redis, sponsor, operation!);
    expect(await orders(sponsor)).toBe('in flight');
    expect((await readDrain(store.redis, sponsor)).withdrawal).toBeNull();
  });

  it('is kept with its author and reason; a repetition changes nothing, and another address is refused', async () => {
    const { sponsor } = await ordered(1_000_000);
    const { withdrawal } = await readDrain(store.redis, sponsor);
    expect(withdrawal).toEqual({
      ...order,
      since: expect.any(Number),
      coins: 0,
      balance: 0n,
      gas: 0n,
      digest: null,
      ended: null,
    });
    expect(await orderWithdrawal(store.redis, sponsor, { ...order, reason: 'x' })).toBe('ordered');
    const other = { ...order, to: elsewhere };
    expect(await orderWithdrawal(store.redis, sponsor, other)).toBe('elsewhere');
    expect((await readDrain(store.redis, sponsor)).withdrawal).toEqual(withdrawal);
  });

  it('is answered alike when it is only checked, and then nothing is ordered', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const checks = () => checkWithdrawal(store.redis, sponsor, order);
    expect(await checks()).toBe('not drained');
    const { reservationId } = await reserve(store.redis, sponsor);
    await drain(sponsor);
    expect(await checks()).toBe('in flight');
    await releaseReservation(store.redis, sponsor, { reservationId, caller, retentionMs });
    expect(await checks()).toBe('ordered');
    expect((await readDrain(store.redis, sponsor)).withdrawal).toBeNull();
    expect(await orders(sponsor)).toBe('ordered');
    const other = { ...order, to: elsewhere };
    expect(await checkWithdrawal(store.redis, sponsor, other)).toBe('elsewhere');
  });
});

describe('a withdrawal', () => {
  it('takes one coin that pays, then dust, then the others, and they leave the pool exactly', async () => {
    const { sponsor, coins } = await ordered(1_000_000, 10, 90_000_000, 20, 50_000_000);
    const [available, dust, largest, moreDust, treasury] = coins;
    const begun = await begins(sponsor);
    expect(begun?.coins).toEqual([largest, dust, moreDust, treasury, available]);
    const held = await snapshotPool(store.redis, sponsor);
    expect([held.totals.coins.maintenance, held.faults]).toEqual([5n, []]);
    const { operationId } = begun!;
    const ended = { operationId, gasCharged: -500n, digest: 'D1' };
    expect(await finishWithdrawal(store.redis, sponsor, ended)).toBe(true);
    expect(await finishWithdrawal(store.redis, sponsor, ended)).toBe(false);
    const { coins: left, totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([left, faults]).toEqual([[], []]);
    expect([totals.gasCharged, totals.balance.available]).toEqual([-500n, 0n]);
    expect((await readDrain(store.redis, sponsor)).withdrawal).toMatchObject({
      coins: 5,
      balance: 141_000_030n,
      gas: -500n,
      digest: 'D1',
      ended: null,
    });
    // A node that lags still lists the coins.
    expect(await adoptCoins(store.redis, sponsor, coins, rules)).toBe(0);
  });

  it('takes no more coins at a time than requested, one operation after the other', async () => {
    const { sponsor } = await ordered(1_000_000, 1_000_000, 1_000_000);
    const some = { ...request, maxCoins: 2 };
    const first = await beginWithdrawal(store.redis, sponsor, some);
    expect(first?.coins).toHaveLength(2);
    expect(await beginWithdrawal(store.redis, sponsor, some)).toBeNull();
    const { operationId } = first!;
    await finishWithdrawal(store.redis, sponsor, { operationId, gasCharged: 0n, digest: 'D1' });
    expect((await beginWithdrawal(store.redis, sponsor, some))?.coins).toHaveLength(1);
  });

  it('takes no more coins than one transaction may use, whatever their kind', async () => {
    const { sponsor } = await ordered(90_000_000, 90_000_000, 90_000_000, 90_000_000, 50_000);
    const begun = await beginWithdrawal(store.redis, sponsor, { ...request, maxCoins: 3 });
    const taken = begun?.coins.map(({ balance }) => balance);
    expect(taken).toEqual([90_000_000n, 50_000n, 90_000_000n]);
  });

  it('leaves half of the room to coins that pay, against any amount of dust from strangers', async () => {
    const { sponsor } = await ordered(1, 1, 1, 1, 1, 200_000, 200_000, 200_000);
    const begun = await beginWithdrawal(store.redis, sponsor, { ...request, maxCoins: 4 });
    const balances = begun?.coins.map(({ balance }) => balance);
    expect(balances).toEqual([200_000n, 200_000n, 1n, 1n]);
  });

  it('begins once, however often a broken connection repeats the call', async () => {
    const { sponsor } = await ordered(1_000_000, 2_000_000);
    const begin = () => runScript(store.redis, 'begin-withdrawal', sponsor, 'op', to, 1, 10_000);
    const first = await begin();
    expect(await begin()).toBe(first);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.maintenance, faults]).toEqual([1n, []]);
  });

  it('takes nothing for another address, or while the pool is suspended after a Redis restart', async () => {
    const { sponsor } = await ordered(1_000_000);
    const other = { ...request, to: elsewhere };
    expect(await beginWithdrawal(store.redis, sponsor, other)).toBeNull();
    await store.redis.set(`fc:{${sponsor}}:held`, Date.now() + 60_000);
    expect(await begins(sponsor)).toBeNull();
    await store.redis.del(`fc:{${sponsor}}:held`);
    expect((await begins(sponsor))?.coins).toHaveLength(1);
  });

  it('takes nothing more once the sponsor is undrained; what is bound still leaves', async () => {
    const { sponsor } = await ordered(1_000_000, 1_000_000);
    const begun = await beginWithdrawal(store.redis, sponsor, { ...request, maxCoins: 1 });
    const { operationId } = begun!;
    const binding = { operationId, digest: 'D1', txBytes: 'AAAA', amount: 0n, leaseMs: 10_000 };
    expect(await bindMaintenance(store.redis, sponsor, binding)).not.toBeNull();
    expect(await listMaintenance(store.redis, sponsor)).toMatchObject([{ kind: 'withdrawal' }]);
    await undrainSponsor(store.redis, sponsor);
    await drain(sponsor);
    expect(await orders(sponsor)).toBe('in flight');
    await finishWithdrawal(store.redis, sponsor, { operationId, gasCharged: 1n, digest: 'D1' });
    expect(await begins(sponsor)).toBeNull();
    const { withdrawal } = await readDrain(store.redis, sponsor);
    expect(withdrawal).toMatchObject({ coins: 1, ended: expect.any(Number) });
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.available, faults]).toEqual([1n, []]);
  });

  it('leaves its coin with the sponsor when it failed, and all when it was never signed', async () => {
    const { sponsor, coins } = await ordered(50_000_000, 10);
    const failed = await begins(sponsor);
    await finishMaintenance(store.redis, sponsor, {
      operationId: failed!.operationId,
      returned: [{ ...coins[0]!, version: 2, balance: 49_000_010n }],
      created: [],
      rules,
      gasCharged: 1_000_000n,
    });
    expect((await readDrain(store.redis, sponsor)).withdrawal).toMatchObject({ coins: 0, gas: 0n });
    const unsigned = await begins(sponsor);
    await abortMaintenance(store.redis, sponsor, unsigned!);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.treasury, totals.balance.treasury, faults]).toEqual([1n, 49_000_010n, []]);
  });

  it('ends when nothing is left; the same order is then done, and new funds can be ordered again', async () => {
    const { sponsor } = await ordered(1_000_000);
    const begun = await begins(sponsor);
    expect(await endWithdrawal(store.redis, sponsor, { to })).toBe(false);
    const { operationId } = begun!;
    await finishWithdrawal(store.redis, sponsor, { operationId, gasCharged: 7n, digest: 'D1' });
    expect((await begins(sponsor))?.coins).toEqual([]);
    expect(await endWithdrawal(store.redis, sponsor, { to: elsewhere })).toBe(false);
    expect(await endWithdrawal(store.redis, sponsor, { to })).toBe(true);
    expect(await begins(sponsor)).toBeNull();
    expect(await orders(sponsor)).toBe('ordered');
    expect((await readDrain(store.redis, sponsor)).withdrawal).toMatchObject({
      coins: 1,
      gas: 7n,
      ended: expect.any(Number),
    });
    await adoptCoins(store.redis, sponsor, [aCoin(5_000_000)], rules);
    expect(await orders(sponsor)).toBe('ordered');
    expect((await begins(sponsor))?.coins).toHaveLength(1);
  });
});
