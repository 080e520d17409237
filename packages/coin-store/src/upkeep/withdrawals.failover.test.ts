import { describe, expect, it } from '@jest/globals';
import { backUpPool } from '../pool/back-up-pool.test-support.js';
import { rules, useTestStore } from '../pool.test-support.js';
import { drainSponsor, readDrain } from '../pool/drains.js';
import { openPool } from '../pool/stored-version.js';
import {
  checkRedisRestart,
  endSuspension,
  readLoss,
  readSuspension,
  suspendPool,
} from '../pool/suspension.js';
import { bindMaintenance } from './maintenance-operations.js';
import {
  beginWithdrawal,
  endWithdrawal,
  finishWithdrawal,
  orderWithdrawal,
  type WithdrawalOrder,
} from './withdrawals.js';

const store = useTestStore();

const AMOUNT = 60_000_000n;
const to = `0x${'c0'.repeat(32)}`;
const all = { id: 'one', to, by: 'ops', reason: 'a' };
const ofAmount = { ...all, part: { amount: AMOUNT, request: 'r', isCovered: true } };
const terms = { id: 'one', to, maxCoins: 255, leaseMs: 10_000, gasBudget: 1_000n };

const keyOf = (sponsor: string, name: string) => `fc:{${sponsor}}:${name}`;
const withdrawalOf = async (sponsor: string) => (await readDrain(store.redis, sponsor)).withdrawal;
const order = (sponsor: string, what: WithdrawalOrder, afterLoss?: string) =>
  orderWithdrawal(store.redis, sponsor, { ...what, ...(afterLoss && { afterLoss }) });
const beginAmount = (sponsor: string, id = 'one') =>
  beginWithdrawal(store.redis, sponsor, { ...terms, id, amount: AMOUNT });

/** A coin-pool that remembers what it has seen; a suspension may end at once. */
function aCoinPool(sponsor: string, witness: string) {
  let seen: { watermark: number; others: readonly string[]; loss: string } | undefined;
  return async (runId: string, promotedFrom = '') => {
    const check = { runId, promotedFrom, mayForget: true, holdMs: 0, witness };
    const memory = seen ?? { watermark: null, others: [] };
    seen = await checkRedisRestart(store.redis, sponsor, { ...check, ...memory });
  };
}

/** A drained pool on server A. */
async function drained() {
  const { sponsor } = await store.aPool(90_000_000, 70_000_000);
  await drainSponsor(store.redis, sponsor, { reason: 'a', by: 'ops', since: 1 });
  const look = aCoinPool(sponsor, 'w');
  await look('A');
  return { sponsor, look };
}

/** Sends the ordered amount. */
async function send(sponsor: string, id = 'one'): Promise<void> {
  const { operationId, coins } = (await beginAmount(sponsor, id))!;
  const binding = { operationId, digest: 'P', txBytes: 'AAAA', leaseMs: 10_000, amount: AMOUNT };
  expect(await bindMaintenance(store.redis, sponsor, binding)).not.toBeNull();
  const balance = coins[0]!.balance - AMOUNT - 7n;
  const remaining = [{ ...coins[0]!, version: 2, balance }];
  const sent = { operationId, gasCharged: 7n, digest: 'P', sent: AMOUNT, remaining, rules };
  await finishWithdrawal(store.redis, sponsor, sent);
  const what = { id, to, amount: AMOUNT, left: 0n };
  expect(await endWithdrawal(store.redis, sponsor, what)).toBe(true);
}

async function resume(sponsor: string): Promise<void> {
  expect(await endSuspension(store.redis, sponsor)).toBe(true);
  expect(await readSuspension(store.redis, sponsor)).toBeNull();
}

async function expectEnded(sponsor: string): Promise<void> {
  expect(await withdrawalOf(sponsor)).toMatchObject({ ended: expect.any(Number), coins: 0 });
  expect(await beginAmount(sponsor)).toBeNull();
  expect(await beginWithdrawal(store.redis, sponsor, terms)).toBeNull();
}

describe('an order of an amount that Redis does not know to be sent', () => {
  it('is not sent again after a failover and a failback to the first server with its old run id', async () => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, ofAmount)).toBe('ordered');
    const failOver = await backUpPool(store.redis, sponsor);
    await send(sponsor);
    await look('A');
    await failOver();
    await look('B');
    await look('A');
    await resume(sponsor);
    await expectEnded(sponsor);
  });

  it('is not taken again by a replica that lacks it, until the caller names the latest loss', async () => {
    const { sponsor, look } = await drained();
    const failOver = await backUpPool(store.redis, sponsor);
    expect(await order(sponsor, ofAmount)).toBe('ordered');
    await send(sponsor);
    await look('A');
    await failOver();
    await look('B');
    const first = await readLoss(store.redis, sponsor);
    expect(await order(sponsor, ofAmount)).toBe('suspended');
    expect(await order(sponsor, ofAmount, first)).toBe('suspended');
    await resume(sponsor);
    expect(await order(sponsor, ofAmount)).toBe('after loss');
    expect(await order(sponsor, all)).toBe('after loss');
    await look('A');
    await resume(sponsor);
    expect(await order(sponsor, ofAmount, first)).toBe('after loss');
    const latest = await readLoss(store.redis, sponsor);
    expect(Number(latest)).toBeGreaterThan(Number(first));
    const again = { ...ofAmount, id: 'two' };
    expect(await order(sponsor, again, latest)).toBe('ordered');
    await send(sponsor, 'two');
    expect(await order(sponsor, again, latest)).toBe('ordered');
    expect(await withdrawalOf(sponsor)).toMatchObject({ id: 'two', ended: expect.any(Number) });
    const other = { ...all, id: 'three' };
    expect(await order(sponsor, other)).toBe('after loss');
    expect(await order(sponsor, other, latest)).toBe('ordered');
  });

  it('can be ordered again by the caller’s word, once', async () => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, ofAmount)).toBe('ordered');
    await look('B');
    await resume(sponsor);
    const loss = await readLoss(store.redis, sponsor);
    expect(await order(sponsor, ofAmount)).toBe('after loss');
    expect(await order(sponsor, { ...ofAmount, id: 'two' }, loss)).toBe('ordered');
    expect(await withdrawalOf(sponsor)).toMatchObject({ id: 'two', left: AMOUNT, ended: null });
    await send(sponsor, 'two');
    expect(await order(sponsor, { ...all, id: 'three' }, loss)).toBe('ordered');
    await endWithdrawal(store.redis, sponsor, { id: 'three', to });
    expect(await order(sponsor, { ...ofAmount, id: 'four' }, loss)).toBe('repeated');
  });
});

describe('an order of an amount that Redis knows to have arrived', () => {
  it('stays done after a loss, whatever the caller names', async () => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, ofAmount)).toBe('ordered');
    await send(sponsor);
    await look('B');
    await resume(sponsor);
    const loss = await readLoss(store.redis, sponsor);
    expect(await order(sponsor, ofAmount)).toBe('ordered');
    expect(await order(sponsor, { ...ofAmount, id: 'two' }, loss)).toBe('ordered');
    expect(await withdrawalOf(sponsor)).toMatchObject({ id: 'one', left: 0n });
  });
});

describe.each([
  ['an amount', ofAmount],
  ['all funds', all],
])('an order of %s', (_what, what) => {
  it.each<[string, (sponsor: string, look: ReturnType<typeof aCoinPool>) => Promise<unknown>]>([
    ['another server answers', (_sponsor, look) => look('B')],
    ['the same server was a replica in between', (_sponsor, look) => look('A', 'of B')],
    ['keys of the pool are missing', (sponsor) => suspendPool(store.redis, sponsor, 0)],
  ])('ends, and the next one names that, when %s', async (_why, happen) => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, what)).toBe('ordered');
    await happen(sponsor, look);
    expect(await withdrawalOf(sponsor)).toMatchObject({ ended: expect.any(Number) });
    await resume(sponsor);
    await expectEnded(sponsor);
    expect(await order(sponsor, what)).toBe('after loss');
    const loss = await readLoss(store.redis, sponsor);
    expect(await order(sponsor, { ...what, id: 'two' }, loss)).toBe('ordered');
  });

  it('does not bind a transaction once it has ended', async () => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, what)).toBe('ordered');
    const amount = what === ofAmount ? AMOUNT : 0n;
    const { operationId } = (await beginWithdrawal(store.redis, sponsor, {
      ...terms,
      amount: amount || null,
    }))!;
    await look('B');
    const binding = { operationId, digest: 'P', txBytes: 'AAAA', leaseMs: 10_000, amount };
    expect(await bindMaintenance(store.redis, sponsor, binding)).toBeNull();
  });

  it('ends when a coin-pool of a release without losses has suspended the pool', async () => {
    const { sponsor, look } = await drained();
    expect(await order(sponsor, what)).toBe('ordered');
    await store.redis.set(keyOf(sponsor, 'server'), 'B');
    await store.redis.set(keyOf(sponsor, 'held'), 1);
    await look('B');
    const loss = await readLoss(store.redis, sponsor);
    await look('B');
    expect(await readLoss(store.redis, sponsor)).toBe(loss);
    await resume(sponsor);
    await expectEnded(sponsor);
    expect(await order(sponsor, what)).toBe('after loss');
  });

  it('is not taken up again by a server that was given up with its data, for want of what happened since', async () => {
    const { sponsor, look } = await drained();
    const giveUp = await backUpPool(store.redis, sponsor);
    await look('B');
    await resume(sponsor);
    const named = await readLoss(store.redis, sponsor);
    expect(await order(sponsor, what, named)).toBe('ordered');
    await look('B');
    await giveUp();
    await look('A');
    expect(await readSuspension(store.redis, sponsor)).not.toBeNull();
    await resume(sponsor);
    expect(await order(sponsor, what)).toBe('after loss');
    expect(await order(sponsor, what, named)).toBe('after loss');
  });
});

describe('the first order from a pool that Redis has lost', () => {
  it('names that loss', async () => {
    const { sponsor } = await store.aPool();
    await store.redis.del(keyOf(sponsor, 'chain'));
    await openPool(store.redis, sponsor, 'chain', { suspendMs: 1 });
    await drainSponsor(store.redis, sponsor, { reason: 'a', by: 'ops', since: 1 });
    expect(await order(sponsor, all)).toBe('suspended');
    await store.redis.del(keyOf(sponsor, 'held'));
    expect(await order(sponsor, all)).toBe('after loss');
  });
});
