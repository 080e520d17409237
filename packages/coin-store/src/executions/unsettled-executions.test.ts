import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from './begin-executions.js';
import { quarantineExecution } from './quarantines.js';
import { refuseExecution } from './unsettled-executions.js';
import { settleExecutions } from './settle-executions.js';
import { digest, executionOf } from './execution.test-support.js';
import {
  aCoin,
  caller,
  claim,
  claimOf,
  reserve,
  retentionMs,
  rules,
  useTestStore,
  waiter,
} from '../pool.test-support.js';
import { adoptCoins } from '../pool/adopt-coins.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { claimReservations } from '../reservations/claim-reservations.js';
import { listInFlight } from '../reservations/list-in-flight.js';
import { findReservation } from '../reservations/reservation-lookups.js';

const store = useTestStore();

const anExecution = (setting?: Parameters<typeof executionOf>[1]) => executionOf(store, setting);

const statesOf = async (sponsor: string) => {
  const { coins, faults } = await snapshotPool(store.redis, sponsor);
  expect(faults).toEqual([]);
  return coins.map((coin) => coin.state);
};

describe('executing', () => {
  it('hands the claim to the executor and reports whether another began before', async () => {
    const { sponsor, job, begun, coins } = await anExecution();
    expect(begun).toEqual({
      resumed: false,
      unknownIn: null,
      quarantine: null,
      caller: 'default',
      rule: '',
      txBytes: 'AAAA',
      userSig: 'BBBB',
      gasBudget: 500_000,
      coins,
    });
    const second = await only(beginExecutions(store.redis, sponsor, 'ex-2', [job]));
    expect(second).toMatchObject({ resumed: true, txBytes: begun.txBytes });
    expect(await statesOf(sponsor)).toEqual(['executing']);
  });

  it('begins several in one call; one with invalid stored state does not affect the others', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const claims = [];
    for (const name of ['D1', 'D2', 'D3']) {
      const { reservationId } = await reserve(redis, sponsor);
      const fence = await claim(redis, sponsor, reservationId, name);
      claims.push({ reservationId, digest: name, fence });
    }
    const key = `fc:{${sponsor}}:reservation:${claims[1]!.reservationId}`;
    const stored = (await redis.get(key))!;
    await redis.set(key, stored.replace('default\t', ''));
    const late = { ...claims[0]!, fence: 2 };
    const begun = await beginExecutions(redis, sponsor, 'ex-1', [...claims, late]);
    expect(begun).toEqual([
      expect.objectContaining({ resumed: false, gasBudget: 500_000 }),
      expect.any(Error),
      expect.objectContaining({ resumed: false, gasBudget: 500_000 }),
      null,
    ]);
    await redis.set(key, stored);
    const states = await statesOf(sponsor);
    expect(states.toSorted()).toEqual(['claimed', 'executing', 'executing']);
  });

  it('writes a transaction once, of any length and for any number of executors', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(redis, sponsor);
    const [txBytes, userSig] = ['A'.repeat(100_000), 'BBBB'];
    const claimed = claimOf(reservationId, digest, { txBytes, userSig });
    await only(claimReservations(redis, sponsor, [claimed]));
    const written = async () =>
      Number(/aof_current_size:(\d+)/.exec(await redis.info('persistence'))![1]);
    const before = await written();
    const other = { ...waiter, gateway: 'gw-2' };
    await only(claimReservations(redis, sponsor, [{ ...claimed, waiter: other }]));
    const job = { reservationId, digest, fence: 1 };
    const begun = await only(beginExecutions(redis, sponsor, 'ex-1', [job]));
    expect(begun).toMatchObject({ txBytes, userSig });
    await quarantineExecution(redis, sponsor, { ...job, message: 'locked', epoch: 1n });
    expect((await written()) - before).toBeLessThan(10_000);
    const settlement = { ...job, returned: [], rules, retentionMs, gasCharged: 0n, cost: 0n };
    await only(settleExecutions(redis, sponsor, [{ ...settlement, outcome: 'executed' }]));
    expect(await redis.keys(`fc:{${sponsor}}:payload:*`)).toEqual([]);
  });

  it('does not begin for another digest or an older fence', async () => {
    const { sponsor, job } = await anExecution();
    const executor = 'ex-2';
    for (const wrong of [{ digest: 'D2' }, { fence: 0 }, { reservationId: 64 }]) {
      const begun = await only(
        beginExecutions(store.redis, sponsor, executor, [{ ...job, ...wrong }]),
      );
      expect(begun).toBeNull();
    }
  });

  it('settles once: the coin returns with its new version, smashed ones leave the pool', async () => {
    const balances = [400_000, 300_000, 200_000];
    const { sponsor, job, coins } = await anExecution({ balances, budget: 850_000 });
    const returned = [{ ...coins[0]!, version: 9, digest: 'New', balance: 899_000n }];
    const settlement = {
      ...job,
      outcome: 'executed' as const,
      returned,
      rules,
      retentionMs,
      gasCharged: 1_000n,
      cost: 1_000n,
    };
    expect(await only(settleExecutions(store.redis, sponsor, [settlement]))).toEqual({
      settled: true,
      waiters: [waiter],
    });
    expect((await only(settleExecutions(store.redis, sponsor, [settlement]))).settled).toBe(false);
    const { coins: now, totals } = await snapshotPool(store.redis, sponsor);
    expect(now).toEqual([{ ...returned[0], state: 'available', holder: null }]);
    expect([totals.smashed, totals.gasCharged]).toEqual([2n, 1_000n]);
    expect(await adoptCoins(store.redis, sponsor, [coins[1]!, coins[2]!], rules)).toBe(0);
    expect(await statesOf(sponsor)).toEqual(['available']);
  });

  it('keeps the digest of the transaction of a settled reservation', async () => {
    const { sponsor, job, coins } = await anExecution();
    await only(
      settleExecutions(store.redis, sponsor, [
        {
          ...job,
          outcome: 'executed',
          returned: coins,
          rules,
          retentionMs,
          gasCharged: 0n,
          cost: 0n,
        },
      ]),
    );
    const { reservationId } = job;
    const lookup = { reservationId, caller, digest, waiter };
    const { found } = await findReservation(store.redis, sponsor, lookup, rules);
    expect(found).toMatchObject({ state: 'executed', digest });
  });

  it('makes the reservation usable after a certain refusal, for a corrected transaction', async () => {
    const { sponsor, job } = await anExecution();
    const refusal = { ...job, message: 'Gas price 1 under reference gas price', retentionMs };
    const refused = await refuseExecution(store.redis, sponsor, refusal);
    expect(refused).toEqual({ refused: true, waiters: [waiter] });
    expect(await statesOf(sponsor)).toEqual(['reserved']);
    expect(await claim(store.redis, sponsor, job.reservationId, 'D2')).toBe(2);
    expect((await refuseExecution(store.redis, sponsor, refusal)).refused).toBe(false);
  });

  it('ignores a late refusal, also when the same transaction has claimed the reservation again', async () => {
    const { sponsor, job } = await anExecution();
    const refusal = { ...job, message: 'no', retentionMs };
    await refuseExecution(store.redis, sponsor, refusal);
    const fence = await claim(store.redis, sponsor, job.reservationId, digest);
    await only(beginExecutions(store.redis, sponsor, 'ex-2', [{ ...job, fence }]));
    expect((await refuseExecution(store.redis, sponsor, refusal)).refused).toBe(false);
    expect(await statesOf(sponsor)).toEqual(['executing']);
  });

  it('does not let one executor’s refusal decide for another that has begun since', async () => {
    const { sponsor, job } = await anExecution();
    await only(beginExecutions(store.redis, sponsor, 'ex-2', [job]));
    const refusal = { ...job, message: 'no', retentionMs };
    expect((await refuseExecution(store.redis, sponsor, refusal)).refused).toBe(false);
    expect(await statesOf(sponsor)).toEqual(['executing']);
  });

  /** On a busy machine, a brief reservation may end before its claim. */
  async function aBriefExecution(durationMs = 30): ReturnType<typeof anExecution> {
    try {
      return await anExecution({ durationMs });
    } catch (error) {
      if (durationMs > 10_000) throw error;
      return aBriefExecution(2 * durationMs);
    }
  }

  it('makes the coins available after a refusal past the deadline', async () => {
    const { sponsor, job, deadlineMs } = await aBriefExecution();
    while (Date.now() <= deadlineMs);
    await refuseExecution(store.redis, sponsor, { ...job, message: 'no', retentionMs });
    expect(await statesOf(sponsor)).toEqual(['available']);
  });

  it('keeps quarantined coins apart until the transaction is excluded, then returns them unchanged', async () => {
    const { sponsor, job, coins } = await anExecution();
    const quarantine = { ...job, message: 'locked', epoch: 7n };
    const first = await quarantineExecution(store.redis, sponsor, quarantine);
    const movedOn = { ...quarantine, epoch: 8n, movedOnBy: 'own' };
    const again = await quarantineExecution(store.redis, sponsor, movedOn);
    expect([first, again]).toMatchObject([{ quarantined: true }, { quarantined: false }]);
    // A late executor does not decrease the epoch.
    await quarantineExecution(store.redis, sponsor, quarantine);
    expect(await statesOf(sponsor)).toEqual(['quarantined']);
    const inFlight = { state: 'quarantined' as const, olderThanMs: 0, limit: 5 };
    expect((await listInFlight(store.redis, sponsor, inFlight)).listed).toEqual([
      { sponsor, ...job },
    ]);
    const begun = await only(beginExecutions(store.redis, sponsor, 'ex-2', [job]));
    expect(begun?.quarantine).toEqual({
      message: 'locked',
      epoch: 8n,
      movedOnBy: 'own',
      ageMs: expect.any(Number),
      isExcluded: false,
    });
    const end = { ...job, returned: coins, rules, retentionMs, gasCharged: 0n, cost: 0n };
    // The sponsor's own transaction may still move them.
    const unmoved = await only(
      settleExecutions(store.redis, sponsor, [{ ...end, outcome: 'unmoved' }]),
    );
    expect([unmoved.settled, await statesOf(sponsor)]).toEqual([false, ['quarantined']]);
    await only(settleExecutions(store.redis, sponsor, [{ ...end, outcome: 'refused' }]));
    expect(await statesOf(sponsor)).toEqual(['available']);
    expect((await quarantineExecution(store.redis, sponsor, movedOn)).isCurrent).toBe(false);
  });

  it('keeps balances above 2^53 exact in a settlement', async () => {
    const { sponsor, job, coins } = await anExecution();
    const returned = [aCoin(2n ** 60n + 1n, { objectId: coins[0]!.objectId })];
    await only(
      settleExecutions(store.redis, sponsor, [
        {
          ...job,
          outcome: 'executed',
          returned,
          rules,
          retentionMs,
          gasCharged: -5n,
          cost: 0n,
        },
      ]),
    );
    const { totals, coins: now } = await snapshotPool(store.redis, sponsor);
    expect(now[0]?.balance).toBe(2n ** 60n + 1n);
    expect([totals.balance.treasury, totals.gasCharged]).toEqual([2n ** 60n + 1n, -5n]);
  });
});
