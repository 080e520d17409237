import { describe, expect, it } from '@jest/globals';
import {
  placementRules,
  prepareCoinStore,
  readPoolTotals,
  settleExecutions,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { maintenanceBudget } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { COMPUTATION, countedIn } from './claim.test-support.js';
import { OWN_DIGEST, quarantineClaim } from './quarantine.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

const GAS_PRICE = 1_000n;
const UNKNOWN = { kind: 'unknown', message: 'timed out' } as const;

const coinsOf = async ({ sponsor }: ExecuteTransactionJob) =>
  (await readPoolTotals(redis, sponsor)).coins;

/** Ends the quarantine like another executor; the coins return unchanged. */
const endElsewhere = ({ sponsor, ...job }: ExecuteTransactionJob) =>
  only(
    settleExecutions(redis, sponsor, [
      {
        ...job,
        outcome: 'refused',
        returned: [],
        gasCharged: 0n,
        cost: 0n,
        rules: placementRules(1_000_000n),
        retentionMs: 60_000,
      },
    ]),
  );

describe('the sponsor’s own transaction that ends a quarantine', () => {
  it('pays with all the coins, and a budget that is enough for it', async () => {
    const balance = 10n ** 9n;
    const { coin, built, repeatFailing, endEpoch } = await quarantineClaim(redis, { balance });
    endEpoch();
    await repeatFailing();
    expect(built).toMatchObject([
      { coins: [coin], gasPrice: GAS_PRICE, gasBudget: maintenanceBudget(0, GAS_PRICE) },
    ]);
    expect(maintenanceBudget(0, GAS_PRICE)).toBeLessThan(balance);
  });

  it('has the coins’ balance for a budget when they hold less than that', async () => {
    const { coin, built, repeatFailing, endEpoch } = await quarantineClaim(redis);
    endEpoch();
    await repeatFailing();
    expect(built).toMatchObject([{ coins: [coin], gasBudget: coin.balance }]);
  });

  it('is counted once, with its gas', async () => {
    const { ledger, metrics, repeat, endEpoch, effects } = await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    await repeat();
    await repeat();
    expect(await countedIn(metrics)).toEqual([
      'forecourt_executions_total{outcome="quarantined",cause="conflict"} 1',
      'forecourt_executions_total{outcome="released",cause="moved_on"} 1',
      `forecourt_gas_charged_smallest_unit_total{purpose="quarantine"} ${COMPUTATION}`,
    ]);
  });

  it('is not counted by an executor that is late: another one has settled it', async () => {
    const { job, ledger, metrics, repeat, endEpoch, effects } = await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    ledger.whenSubmitted = async () => void (await endElsewhere(job));
    await repeat();
    expect(await countedIn(metrics)).toEqual([
      'forecourt_executions_total{outcome="quarantined",cause="conflict"} 1',
    ]);
  });

  it('takes a coin out of the pool that it left with another account', async () => {
    const { job, ledger, repeat, endEpoch, effects, state } = await quarantineClaim(redis);
    endEpoch();
    const { gasObject, ...rest } = effects(OWN_DIGEST);
    const owner = { AddressOwner: `0x${'c'.repeat(64)}` };
    ledger.answer = { kind: 'executed', effects: { ...rest, gasObject: { ...gasObject, owner } } };
    await repeat();
    expect(Object.values(await coinsOf(job)).every((count) => count === 0n)).toBe(true);
    expect(await state()).toBe('expired');
  });
});

describe('a quarantine whose coins were moved by another transaction', () => {
  it('is counted once, without gas, and not by a late executor', async () => {
    const { job, coin, ledger, metrics, repeat, endEpoch } = await quarantineClaim(redis);
    endEpoch();
    ledger.coinsNow = new Map([[coin.objectId, { ...coin, version: 9, digest: 'C9' }]]);
    await repeat();
    await repeat();
    const counted = [
      'forecourt_executions_total{outcome="quarantined",cause="conflict"} 1',
      'forecourt_executions_total{outcome="released",cause="had_moved"} 1',
    ];
    expect(await countedIn(metrics)).toEqual(counted);
    expect((await coinsOf(job)).quarantined).toBe(0n);

    const late = await quarantineClaim(redis);
    late.endEpoch();
    late.ledger.coinsNow = new Map([[coin.objectId, { ...coin, version: 9, digest: 'C9' }]]);
    late.ledger.whenCoinsRead = async () => void (await endElsewhere(late.job));
    await late.repeat();
    expect(await countedIn(late.metrics)).toEqual(counted.slice(0, 1));
  });
});

describe('the sponsor’s own transaction where validators lock objects briefly', () => {
  it('is replaced by another once their locks for it have expired', async () => {
    const { ledger, submitted, begun, repeatFailing, age } = await quarantineClaim(redis, {
      objectLockMs: 12_000,
    });
    await age(12_500);
    ledger.answer = UNKNOWN;
    await repeatFailing();
    expect((await begun())?.quarantine).toMatchObject({ movedOnBy: OWN_DIGEST, epoch: 5n });
    ledger.ownDigest = 'another';
    await repeatFailing();
    expect((await begun())?.quarantine).toMatchObject({ movedOnBy: OWN_DIGEST });
    await age(12_500);
    await repeatFailing();
    expect((await begun())?.quarantine).toMatchObject({ movedOnBy: 'another' });
    expect(submitted).toEqual(['own', 'own']);
  });
});
