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
import { adoptCoins } from '../pool/adopt-coins.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { releaseReservation } from '../reservations/release-reservations.js';
import { runScript } from '../scripts/run-script.js';
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
const order = { id: 'one', to, by: 'ops', reason: 'rotation' };
const request = { id: 'one', to, maxCoins: 255, leaseMs: 10_000 };
/** A finished operation whose coins have left. */
const left = { digest: 'D1', sent: 0n, remaining: [], rules };

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
      amount: null,
      left: null,
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
    const ended = { ...left, operationId, gasCharged: -500n };
    expect(await finishWithdrawal(store.redis, sponsor, ended)).toBe(true);
    expect(await finishWithdrawal(store.redis, sponsor, ended)).toBe(false);
    const { coins: there, totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([there, faults]).toEqual([[], []]);
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
    await finishWithdrawal(store.redis, sponsor, { ...left, operationId, gasCharged: 0n });
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
    const begin = () =>
      runScript(store.redis, 'begin-withdrawal', sponsor, 'op', to, 1, 10_000, '', 0, 'one');
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
    await finishWithdrawal(store.redis, sponsor, { ...left, operationId, gasCharged: 1n });
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
    expect(await endWithdrawal(store.redis, sponsor, { id: 'one', to })).toBe(false);
    const { operationId } = begun!;
    await finishWithdrawal(store.redis, sponsor, { ...left, operationId, gasCharged: 7n });
    expect((await begins(sponsor))?.coins).toEqual([]);
    expect(await endWithdrawal(store.redis, sponsor, { id: 'one', to: elsewhere })).toBe(false);
    expect(await endWithdrawal(store.redis, sponsor, { id: 'one', to })).toBe(true);
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

describe('an order of an amount', () => {
  const part = { amount: 60_000_000n, request: '', isCovered: true };
  const amountOrder = { ...order, part };
  const amountRequest = { ...request, amount: part.amount, gasBudget: 1_000n };
  const binding = { digest: 'P1', txBytes: 'AAAA', leaseMs: 10_000 };
  const readOrder = async (sponsor: string) => (await readDrain(store.redis, sponsor)).withdrawal;
  const ask = (sponsor: string, over: object = {}) =>
    orderWithdrawal(store.redis, sponsor, { ...amountOrder, ...over });
  const beginPart = (sponsor: string) => beginWithdrawal(store.redis, sponsor, amountRequest);
  const bind = (sponsor: string, operationId: string, amount: bigint, digest = 'P1') =>
    bindMaintenance(store.redis, sponsor, { ...binding, operationId, amount, digest });

  /** A drained pool of these coins with an order of 60 000 000. */
  async function orderedPart(...balances: number[]) {
    const pool = await store.aPool(...balances);
    await drain(pool.sponsor);
    expect(await ask(pool.sponsor)).toBe('ordered');
    return pool;
  }

  /** Sends an amount with an operation, whose gas costs 7. */
  async function send(sponsor: string, amount: bigint, digest = 'P1') {
    const { operationId, coins } = (await beginPart(sponsor))!;
    expect(await bind(sponsor, operationId, amount, digest)).not.toBeNull();
    const sum = coins.reduce((total, { balance }) => total + balance, 0n);
    const remaining = [{ ...coins[0]!, version: 2, balance: sum - amount - 7n }];
    const sent = { operationId, gasCharged: 7n, digest, sent: amount, remaining, rules };
    expect(await finishWithdrawal(store.redis, sponsor, sent)).toBe(true);
    expect(await finishWithdrawal(store.redis, sponsor, sent)).toBe(false);
    return coins;
  }

  /** Ends the order once this is left of it. */
  const end = (sponsor: string, left = 0n) =>
    endWithdrawal(store.redis, sponsor, { id: 'one', to, amount: part.amount, left });

  it('takes the largest coins that cover it, and returns the one that it was taken from', async () => {
    const { sponsor, coins } = await orderedPart(1_000_000, 10, 90_000_000, 20, 50_000_000);
    expect(await send(sponsor, 60_000_000n)).toEqual([coins[2]]);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([faults, totals.gasCharged, totals.coins.dust]).toEqual([[], 7n, 2n]);
    expect(totals.balance.treasury).toBe(90_000_000n - 60_000_007n + 50_000_000n);
    const done = { amount: 60_000_000n, left: 0n, balance: 60_000_007n, gas: 7n, coins: 0 };
    expect(await readOrder(sponsor)).toMatchObject(done);
    expect(await end(sponsor)).toBe(true);
  });

  it('takes available coins too, no dust, and no more than one transaction may use', async () => {
    const { sponsor, coins } = await orderedPart(900_000, 50_000_000, 10, 90_000, 800_000);
    const begun = await beginPart(sponsor);
    expect(begun?.coins).toEqual([coins[1], coins[0], coins[4]]);
    await abortMaintenance(store.redis, sponsor, begun!);
    const few = await beginWithdrawal(store.redis, sponsor, { ...amountRequest, maxCoins: 2 });
    expect(few?.coins).toHaveLength(2);
  });

  it('never lets transactions send more together, and sends again what certainly was not sent', async () => {
    const { sponsor, coins } = await orderedPart(90_000_000, 50_000_000);
    const first = (await beginPart(sponsor))!;
    expect(await bind(sponsor, first.operationId, 60_000_001n)).toBeNull();
    expect(await bind(sponsor, first.operationId, 60_000_000n)).not.toBeNull();
    expect(await bind(sponsor, first.operationId, 60_000_000n)).not.toBeNull();
    expect((await readOrder(sponsor))?.left).toBe(0n);
    // It was submitted twice, so no refusal ends it.
    const refused = { operationId: first.operationId, digest: 'P1' };
    expect(await abortMaintenance(store.redis, sponsor, refused)).toBe(false);
    expect(await end(sponsor)).toBe(false);
    const returned = [{ ...coins[0]!, version: 2 }];
    const over = { ...first, returned, created: [], rules, gasCharged: 0n };
    expect(await finishMaintenance(store.redis, sponsor, over)).toBe(true);
    expect((await readOrder(sponsor))?.left).toBe(60_000_000n);
    await send(sponsor, 40_000_000n);
    const second = (await beginPart(sponsor))!;
    expect(await bind(sponsor, second.operationId, 20_000_001n, 'P2')).toBeNull();
    expect(await bind(sponsor, second.operationId, 20_000_000n, 'P2')).not.toBeNull();
    const aborted = { operationId: second.operationId, digest: 'P2' };
    expect(await abortMaintenance(store.redis, sponsor, aborted)).toBe(true);
    expect((await readOrder(sponsor))?.left).toBe(20_000_000n);
    const third = (await beginPart(sponsor))!;
    expect(await bind(sponsor, third.operationId, 20_000_000n, 'P3')).not.toBeNull();
    const lost = { ...third, returned: third.coins, created: [], rules, gasCharged: 0n };
    await finishMaintenance(store.redis, sponsor, { ...lost, mayBeSent: true });
    expect((await readOrder(sponsor))?.left).toBe(0n);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('changes nothing when it is repeated, also after its end; another request orders it again', async () => {
    const { sponsor } = await orderedPart(90_000_000, 90_000_000);
    const { since } = (await readOrder(sponsor))!;
    expect(await ask(sponsor, { part: { ...part, isCovered: false } })).toBe('ordered');
    expect(await ask(sponsor, { to: elsewhere })).toBe('elsewhere');
    for (const other of [null, { ...part, amount: 1n }, { ...part, request: 'r' }]) {
      expect(await ask(sponsor, { part: other })).toBe('under way');
    }
    await send(sponsor, 60_000_000n);
    expect(await end(sponsor)).toBe(true);
    const ended = await readOrder(sponsor);
    expect(ended).toMatchObject({ since, ended: expect.any(Number) });
    expect(await ask(sponsor)).toBe('ordered');
    expect(await readOrder(sponsor)).toEqual(ended);
    expect(await ask(sponsor, { part: { ...part, request: 'r', isCovered: false } })).toBe(
      'not enough',
    );
    const again = { part: { ...part, request: 'r' } };
    expect(await checkWithdrawal(store.redis, sponsor, { ...amountOrder, ...again })).toBe(
      'ordered',
    );
    expect(await readOrder(sponsor)).toEqual(ended);
    expect(await ask(sponsor, again)).toBe('ordered');
    expect(await readOrder(sponsor)).toMatchObject({ left: 60_000_000n, ended: null });
    await undrainSponsor(store.redis, sponsor);
    await drain(sponsor);
    expect(await ask(sponsor)).toBe('repeated');
    expect(await ask(sponsor, { part: null })).toBe('ordered');
    expect((await readOrder(sponsor))?.amount).toBeNull();
  });

  it('remembers the latest thousand orders', async () => {
    const { sponsor } = await store.aPool(90_000_000);
    await drain(sponsor);
    const known = `fc:{${sponsor}}:withdrawal-requests`;
    const old = Array.from({ length: 1_000 }, (_, index) => [index, `${to}|1|${index}`]).flat();
    await store.redis.zadd(known, ...old);
    expect(await ask(sponsor, { part: { ...part, amount: 1n, request: '0' } })).toBe('repeated');
    expect(await ask(sponsor)).toBe('ordered');
    expect(await store.redis.zcard(known)).toBe(1_000);
    expect(await store.redis.zscore(known, `${to}|1|0`)).toBeNull();
  });

  it('does not end while something else is left of it, or for a process that has read another order', async () => {
    const { sponsor } = await orderedPart(90_000_000);
    const { operationId } = (await beginPart(sponsor))!;
    await bind(sponsor, operationId, 60_000_000n);
    expect((await readOrder(sponsor))?.left).toBe(0n);
    // A process has read that, then the transaction fails.
    await abortMaintenance(store.redis, sponsor, { operationId, digest: 'P1' });
    expect(await end(sponsor)).toBe(false);
    expect(await readOrder(sponsor)).toMatchObject({ left: 60_000_000n, ended: null });
    await undrainSponsor(store.redis, sponsor);
    await drain(sponsor);
    const again = { id: 'two', part: { ...part, request: 'r' } };
    expect(await ask(sponsor, again)).toBe('ordered');
    expect(await beginPart(sponsor)).toBeNull();
    expect(await end(sponsor, 60_000_000n)).toBe(false);
    expect(await readOrder(sponsor)).toMatchObject({ id: 'two', ended: null });
  });

  it('is not an unsigned operation for a process that knows no amounts', async () => {
    const { sponsor } = await orderedPart(90_000_000);
    const { operationId } = (await beginPart(sponsor))!;
    await bind(sponsor, operationId, 60_000_000n);
    const operation = await store.redis.hgetall(`fc:{${sponsor}}:operation:${operationId}`);
    expect(operation).toMatchObject({ digest: 'P1', payment: 'AAAA' });
    expect(operation['bytes']).toBeUndefined();
    // Such a process aborts an operation that has no bytes.
    expect(await abortMaintenance(store.redis, sponsor, { operationId })).toBe(false);
    expect(await listMaintenance(store.redis, sponsor)).toMatchObject([
      { kind: 'withdrawal', txBytes: 'AAAA', amount: 60_000_000n },
    ]);
  });
});
