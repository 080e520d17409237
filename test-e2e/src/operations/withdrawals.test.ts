import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/application.js';
import { applicationOf } from '../support/tokens-file.js';
import {
  balanceAt,
  bothServe,
  checkWithdrawal,
  codeOf,
  drain,
  first,
  post,
  recorded,
  reserveFrom,
  SAFE,
  second,
  sponsorOf,
  startSponsoring,
  statusOf,
  STRANGER,
  system,
  undrain,
  untilState,
  withdraw,
  withdrawAmount,
  writeKeys,
} from '../support/systems/sponsors-system.js';

describe('a withdrawal', () => {
  beforeAll(async () => {
    await bothServe();
    await drain(first.address);
    await untilState(first.address, 'drained');
  });

  it('can be ordered by operators only, from a drained sponsor, to a configured address', async () => {
    const shop = applicationOf('shop', system.application);
    for (const [path, method] of [
      ['/v1/drain', 'POST'],
      ['/v1/undrain', 'POST'],
      ['/v1/withdraw', 'POST'],
      ['/v1/withdraw_amount', 'POST'],
      ['/v1/check_withdrawal', 'POST'],
      ['/v1/sponsors', 'GET'],
    ] as const) {
      const answer = await call(shop, method, path, method === 'GET' ? undefined : {});
      expect([path, answer.status, answer.body.error]).toEqual([
        path,
        403,
        'Token lacks the role operator',
      ]);
    }
    const before = await balanceAt(first.address);
    const { withdrawal } = await statusOf(first.address);
    const stranger = await withdraw(first.address, STRANGER);
    expect(codeOf(stranger)).toEqual([403, 'FORBIDDEN']);
    expect(stranger.body.error).toContain('WITHDRAW_ADDRESSES');
    expect(codeOf(await withdraw(second.address, SAFE))).toEqual([400, 'SPONSOR_NOT_IDLE']);
    expect(codeOf(await withdraw(STRANGER, SAFE))).toEqual([400, 'INVALID_REQUEST']);
    expect(codeOf(await withdraw('first', SAFE))).toEqual([400, 'INVALID_REQUEST']);
    expect(codeOf(await withdraw(second.address, second.address))).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
    const [newest] = await recorded(1);
    expect(newest).toEqual([
      'default',
      'withdraw refused',
      `sponsor ${second.address} to ${second.address}`,
      'to_address is the sponsor itself',
    ]);
    expect(await balanceAt(first.address)).toBe(before);
    expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);
    for (const [from, to] of [
      [first.address, STRANGER],
      [second.address, SAFE],
      [STRANGER, SAFE],
      [second.address, second.address],
    ] as const) {
      const [checked, ordered] = [await checkWithdrawal(from, to), await withdraw(from, to)];
      expect([checked.status, checked.body]).toEqual([ordered.status, ordered.body]);
    }
    expect((await checkWithdrawal(first.address, SAFE)).status).toBe(200);
    expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);
  });

  it.each(['coin-pool:after-take-aside', 'coin-pool:after-bind', 'coin-pool:after-split'] as const)(
    'is completed by another coin-pool, once, if its coin-pool dies at %s',
    async (failpoint) => {
      await system.control.mint(first.address, 5_000_000_000n);
      await system.until(async () => (await statusOf(first.address)).coins.treasury > 0);
      const own = await balanceAt(first.address);
      const safe = await balanceAt(SAFE);
      const pools = system.services('coin-pool');
      await Promise.all(pools.map((one) => one.stop()));
      const armed = { FORECOURT_FAILPOINTS: `${failpoint}=1` };
      await pools[0]!.start(armed);
      // The coin-pool may die before it has answered.
      expect([200, 503]).toContain((await withdraw(first.address, SAFE)).status);
      await pools[0]!.exited();
      await Promise.all(pools.map((one) => one.start()));
      await system.until(async () => {
        const { withdrawal } = await statusOf(first.address);
        return withdrawal !== null && withdrawal.ended !== null && withdrawal.coins > 0;
      });
      const { withdrawal, balance } = await statusOf(first.address);
      expect([balance, await balanceAt(first.address)]).toEqual(['0', 0n]);
      const arrived = (await balanceAt(SAFE)) - safe;
      expect(withdrawal!.arrived).toBe(String(arrived));
      expect(own - arrived).toBeLessThan(21_000_000n);
      expect(await system.control.submissionsOf(withdrawal!.digest!)).toBe(1);
      // The same order again changes nothing.
      expect((await withdraw(first.address, SAFE)).status).toBe(200);
      expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);
      expect(await system.differences()).toEqual([]);
    },
  );

  it('completes a rotation if it goes to the next sponsor: its pool has the funds, and the old key can be removed', async () => {
    await system.control.mint(first.address, 3_000_000_000n);
    await system.until(async () => (await statusOf(first.address)).coins.treasury > 0);
    const load = startSponsoring();
    const before = BigInt((await statusOf(second.address)).balance);
    expect((await withdraw(first.address, second.address)).status).toBe(200);
    await system.until(async () => (await statusOf(first.address)).withdrawal?.ended !== null);
    await system.until(async () => BigInt((await statusOf(second.address)).balance) > before);
    writeKeys(second);
    await untilState(first.address, 'no-key');
    expect(sponsorOf(await reserveFrom())).toBe(second.address);
    // Each coin-pool reads the keys by itself: until the last has, one still knows the sponsor as drained.
    await system.until(async () => codeOf(await reserveFrom(first.address))[0] === 400);
    expect((await load.stop()).failures).toEqual([]);
    expect((await recorded(1))[0]).toEqual([
      'default',
      'withdraw',
      `sponsor ${first.address} to ${second.address}`,
      'key rotation',
    ]);
    await system.until(async () => (await statusOf(second.address)).coins.executing === 0);
    expect(await system.differences()).toEqual([]);
  });
});

describe('a withdrawal of an amount', () => {
  const AMOUNT = 2_000_000_000n;
  const untilWithdrawn = () =>
    system.until(async () => (await statusOf(first.address)).withdrawal?.ended != null);
  /** Pool and ledger agree: no coin is yet to be adopted, and the node has the latest transactions. */
  const untilAgreed = () =>
    system.until(async () => {
      const { balance } = await statusOf(first.address);
      return BigInt(balance) === (await balanceAt(first.address));
    });
  const drained = async () => {
    await bothServe();
    await drain(first.address);
    await untilState(first.address, 'drained');
    await untilAgreed();
  };
  const expectKept = async (safe: bigint, own: bigint, sent: bigint) => {
    await untilAgreed();
    expect((await balanceAt(SAFE)) - safe).toBe(sent);
    const kept = await balanceAt(first.address);
    expect(own - sent - kept).toBeLessThan(22_000_000n);
    const { balance, withdrawal } = await statusOf(first.address);
    expect(balance).toBe(String(kept));
    expect(withdrawal).toMatchObject({ arrived: String(sent), to_address: SAFE });
    expect(await system.differences()).toEqual([]);
  };

  it('sends exactly the amount once, then another request the same again, then everything', async () => {
    await drained();
    const safe = await balanceAt(SAFE);
    const own = await balanceAt(first.address);
    expect((await withdrawAmount(first.address, SAFE, AMOUNT)).status).toBe(200);
    await untilWithdrawn();
    await expectKept(safe, own, AMOUNT);
    const { withdrawal } = await statusOf(first.address);
    expect(withdrawal!.amount).toBe(String(AMOUNT));
    expect((await recorded(1))[0]).toEqual([
      'default',
      'withdraw',
      `${AMOUNT} of sponsor ${first.address} to ${SAFE}`,
      'rebalancing',
    ]);
    expect((await withdrawAmount(first.address, SAFE, AMOUNT)).status).toBe(200);
    expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);

    const again = { request_id: 'again' };
    expect((await withdrawAmount(first.address, SAFE, AMOUNT, again)).status).toBe(200);
    await untilWithdrawn();
    expect((await balanceAt(SAFE)) - safe).toBe(2n * AMOUNT);
    const repeated = await withdrawAmount(first.address, SAFE, AMOUNT);
    expect(codeOf(repeated)).toEqual([400, 'SPONSOR_NOT_IDLE']);
    expect(repeated.body.error).toContain('another request_id');

    expect((await withdraw(first.address, SAFE)).status).toBe(200);
    await untilWithdrawn();
    expect(await balanceAt(first.address)).toBe(0n);
    expect(await system.differences()).toEqual([]);
  });

  it('is refused when the sponsor has less, or when the amount or its request is invalid', async () => {
    await drained();
    const { withdrawal } = await statusOf(first.address);
    const own = await balanceAt(first.address);
    const body = { sponsor_address: first.address, to_address: SAFE, reason: 'a' };
    for (const path of ['/v1/check_withdrawal', '/v1/withdraw_amount']) {
      const refused = await post(path, { ...body, amount: String(own) });
      expect(codeOf(refused)).toEqual([400, 'SPONSOR_NOT_IDLE']);
      expect(refused.body.error).toMatch(
        /[\d.]+ IOTA is more than the [\d.]+ IOTA .* order at most/,
      );
      for (const part of [{ amount: '0' }, { amount: 5 }, { request_id: 'a' }]) {
        expect(codeOf(await post(path, { ...body, ...part }))).toEqual([400, 'INVALID_REQUEST']);
      }
    }
    const everything = await post('/v1/withdraw', { ...body, amount: '1' });
    expect(codeOf(everything)).toEqual([400, 'INVALID_REQUEST']);
    expect(everything.body.error).toContain('amount is ordered with POST /v1/withdraw_amount');
    expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);
    expect(await balanceAt(first.address)).toBe(own);
  });

  it('leaves a sponsor that gives reservations again once it is undrained', async () => {
    await drained();
    const own = await balanceAt(first.address);
    const safe = await balanceAt(SAFE);
    const request_id = 'before undrain';
    expect((await withdrawAmount(first.address, SAFE, AMOUNT, { request_id })).status).toBe(200);
    await untilWithdrawn();
    await expectKept(safe, own, AMOUNT);
    await undrain(first.address);
    await untilState(first.address, 'serving');
    expect(sponsorOf(await reserveFrom(first.address))).toBe(first.address);
    await drain(first.address);
    await untilState(first.address, 'drained');
  });

  it.each(['coin-pool:after-take-aside', 'coin-pool:after-bind', 'coin-pool:after-split'] as const)(
    'is sent once if its coin-pool dies at %s',
    async (failpoint) => {
      await drained();
      const own = await balanceAt(first.address);
      const safe = await balanceAt(SAFE);
      const pools = system.services('coin-pool');
      await Promise.all(pools.map((one) => one.stop()));
      await pools[0]!.start({ FORECOURT_FAILPOINTS: `${failpoint}=1` });
      const request_id = failpoint;
      // The coin-pool may die before it has answered.
      const { status } = await withdrawAmount(first.address, SAFE, AMOUNT, { request_id });
      expect([200, 503]).toContain(status);
      await pools[0]!.exited();
      await Promise.all(pools.map((one) => one.start()));
      await system.until(async () => {
        const { withdrawal } = await statusOf(first.address);
        return withdrawal?.ended != null && withdrawal.arrived === String(AMOUNT);
      });
      await expectKept(safe, own, AMOUNT);
      const { withdrawal } = await statusOf(first.address);
      expect(await system.control.submissionsOf(withdrawal!.digest!)).toBe(1);
      expect((await withdrawAmount(first.address, SAFE, AMOUNT, { request_id })).status).toBe(200);
      expect((await statusOf(first.address)).withdrawal).toEqual(withdrawal);
    },
  );
});
