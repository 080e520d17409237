import type { GasCoin } from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import { expect } from '@jest/globals';
import { beginExecutions } from '../../executions/begin-executions.js';
import { deferExecution, refuseExecution } from '../../executions/unsettled-executions.js';
import { excludeExecution, quarantineExecution } from '../../executions/quarantines.js';
import { settleExecutions } from '../../executions/settle-executions.js';
import { retentionMs } from '../../pool.test-support.js';
import { MESSAGE, type ModelReservation } from './model-reservation.test-support.js';
import type { PoolBooks } from './pool-books.test-support.js';
import { releaseClaim } from '../../reservations/release-reservations.js';

/** The executor that begins claims. */
const EXECUTOR = 'ex\t1';

export async function begin(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
): Promise<void> {
  if (!one) return;
  const { digest, fence, isRight } = books.jobOf(one, pick);
  const job = { reservationId: one.id, digest, fence, executor: EXECUTOR };
  const begun = await only(beginExecutions(books.store.redis, books.sponsor, job.executor, [job]));
  const inFlight = ['claimed', 'executing', 'quarantined'].includes(one.state);
  if (!isRight || !inFlight) return expect(begun).toBeNull();
  expect(begun).toEqual({
    unknownIn: null,
    resumed: one.state !== 'claimed',
    txBytes: 'AAAA',
    userSig: 'BB==',
    rule: MESSAGE,
    gasBudget: one.budget,
    coins: one.coins,
    caller: one.caller,
    quarantine: one.quarantine && {
      message: MESSAGE,
      ageMs: expect.any(Number),
      isExcluded: one.refusal?.fence === one.fence,
      ...one.quarantine,
    },
  });
  for (const coin of one.coins) {
    const version = `${coin.objectId}@${coin.version}`;
    const signed = `${one.id}:${digest}`;
    expect(books.signed.get(version) ?? signed).toBe(signed);
    books.signed.set(version, signed);
  }
  one.isResumed = one.state !== 'claimed';
  if (one.state === 'claimed') {
    one.state = 'executing';
    books.hold(one.coins, 'executing', String(one.id));
  }
  books.count('begin');
}

/** The transaction has landed: coins are smashed, grow by a deposit or a rebate, or leave the sponsor. */
export async function settle(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
  variant: number,
): Promise<void> {
  if (!one) return;
  const [first] = one.coins;
  const gasCharged = [1_000n, 0n, -2_000n, BigInt(pick % 9_000), 77n][variant % 5]!;
  const deposit = variant % 7 === 0 ? books.balanceOf(pick) : 0n;
  const sum = one.coins.reduce((total, { balance }) => total + balance, 0n);
  const version = first!.version + 1;
  const returned = { ...first!, version, balance: sum - gasCharged + deposit };
  const cost = gasCharged > 0n ? gasCharged + BigInt(pick % 3) : BigInt(pick % 50);
  await end(books, one, variant % 11 === 0 ? [] : [returned], 'executed', gasCharged, cost);
}

/** The transaction can never land: its coins have moved, or are unchanged. */
export async function giveUp(
  books: PoolBooks,
  one: ModelReservation | undefined,
  variant: number,
): Promise<void> {
  if (!one) return;
  const returned = one.coins.flatMap((coin, index) => {
    if ((index + variant) % 5 === 0) return [];
    return [(index + variant) % 2 ? { ...coin, version: coin.version + 3 } : coin];
  });
  const gasCharged = variant % 2 ? 0n : 500n;
  const isMoving = Boolean(one.quarantine?.movedOnBy);
  if (isMoving || variant % 3 === 0) await end(books, one, one.coins, 'unmoved', 0n, 0n);
  await end(books, one, returned, 'refused', gasCharged, gasCharged * 2n);
}

async function end(
  books: PoolBooks,
  one: ModelReservation,
  returned: readonly GasCoin[],
  outcome: 'executed' | 'refused' | 'unmoved',
  gasCharged: bigint,
  cost: bigint,
): Promise<void> {
  const settlement = {
    reservationId: one.id,
    digest: one.digest ?? 'none',
    outcome,
    returned,
    rules: books.rules,
    retentionMs,
    gasCharged,
    cost,
  };
  const { settled } = await only(settleExecutions(books.store.redis, books.sponsor, [settlement]));
  const isBegun = one.state === 'executing' || one.state === 'quarantined';
  const mayMove = outcome === 'unmoved' && Boolean(one.quarantine?.movedOnBy);
  expect(settled).toBe(isBegun && !mayMove);
  if (!settled) return;
  books.count(`${outcome === 'executed' ? outcome : 'refused'} from ${one.state}`);
  books.unsign(one);
  books.become(one.coins, returned, gasCharged);
  if (one.held > 0n) books.used += cost - one.held;
  if (one.state === 'quarantined' && outcome !== 'executed') {
    one.refusal = { ...one.refusal!, fence: one.fence };
  }
  one.state = outcome === 'executed' ? 'executed' : 'expired';
  Object.assign(one, { held: 0n, input: null });
}

export async function refuse(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
): Promise<void> {
  if (!one) return;
  const { digest, fence, isRight } = books.jobOf(one, pick);
  const { refused } = await refuseExecution(books.store.redis, books.sponsor, {
    reservationId: one.id,
    digest,
    fence,
    message: MESSAGE,
    retentionMs,
  });
  expect(refused).toBe(isRight && one.state === 'executing' && !one.isResumed);
  if (!refused) return;
  books.unsign(one);
  one.refusal = { digest, fence, message: MESSAGE };
  books.reopen(one);
  books.count(one.isOverdue ? 'refuse past the deadline' : 'refuse');
}

/**
 * The sponsor's key cannot sign: the claim is as if it had not begun, unless another executor has begun it
 * too.
 */
export async function defer(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
  variant: number,
): Promise<void> {
  if (!one) return;
  const { redis } = books.store;
  const { digest, fence, isRight } = books.jobOf(one, pick);
  const executor = variant % 5 === 0 ? 'another' : EXECUTOR;
  const job = { reservationId: one.id, digest, fence };
  const waiters = await deferExecution(redis, books.sponsor, executor, job);
  const inFlight = ['claimed', 'executing', 'quarantined'].includes(one.state);
  expect(waiters !== null).toBe(isRight && inFlight);
  if (!isRight || one.state !== 'executing') return;
  if (one.isResumed || executor !== EXECUTOR) return books.count('defer without effect');
  books.unsign(one);
  Object.assign(one, { state: 'claimed', isDeferred: true });
  books.hold(one.coins, 'claimed', String(one.id));
  books.count(one.isOverdue ? 'defer past the deadline' : 'defer');
}

export async function quarantine(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
  variant: number,
): Promise<void> {
  if (!one) return;
  const { digest, fence, isRight } = books.jobOf(one, pick);
  const epoch = BigInt(variant % 5);
  const movedOnBy = variant % 3 ? `own\t${variant}` : '';
  const { quarantined } = await quarantineExecution(books.store.redis, books.sponsor, {
    reservationId: one.id,
    digest,
    fence,
    message: MESSAGE,
    epoch,
    movedOnBy,
  });
  expect(quarantined).toBe(isRight && one.state === 'executing');
  if (quarantined) {
    one.state = 'quarantined';
    one.quarantine = { epoch, movedOnBy: null };
    one.refusal = { digest, fence: 0, message: MESSAGE };
    books.hold(one.coins, 'quarantined', String(one.id));
    books.count('quarantine');
  } else if (isRight && one.quarantine && one.state === 'quarantined') {
    const { epoch: noted, movedOnBy: before } = one.quarantine;
    // An epoch that is further than the next one is another network's.
    const next = epoch + 1n;
    const corrected = noted > next ? next : noted;
    one.quarantine = {
      epoch: epoch > noted ? epoch : corrected,
      movedOnBy: movedOnBy || before,
    };
  }
}

/** The ledger proves that it can never land: its input is free, its coins stay bound. */
export async function exclude(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
): Promise<void> {
  if (!one) return;
  const { digest, fence, isRight } = books.jobOf(one, pick);
  const claim = { reservationId: one.id, digest, fence };
  const waiters = await excludeExecution(books.store.redis, books.sponsor, claim);
  const isFirst = isRight && one.state === 'quarantined' && one.refusal?.fence === 0;
  expect(waiters !== null).toBe(isFirst);
  if (!isFirst) return;
  Object.assign(one, { input: null, refusal: { ...one.refusal!, fence } });
  books.count('exclude');
}

export async function releaseOrphaned(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
): Promise<void> {
  if (!one) return;
  const { fence } = books.jobOf(one, pick);
  const claim = { reservationId: one.id, fence, retentionMs };
  const isRight = fence === one.fence && one.state === 'claimed' && one.isLeaseOver;
  const released = await releaseClaim(books.store.redis, books.sponsor, claim);
  expect(released).toBe(isRight ? 'released' : 'changed');
  if (!isRight) return;
  books.reopen(one);
  if (one.isDeferred) books.count('release claim of a deferred transaction');
  books.count(one.isOverdue ? 'release claim past the deadline' : 'release claim');
}
