import { describe, expect, it } from '@jest/globals';
import {
  beginExecutions,
  excludeExecution,
  placementRules,
  prepareCoinStore,
  quarantineExecution,
  settleExecutions,
} from '@forecourt/coin-store';
import { useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { COMPUTATION, DIGEST } from './claim.test-support.js';
import { OWN_DIGEST, quarantineClaim } from './quarantine.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('a quarantine that no other event has ended', () => {
  it('ends when the sponsor’s own transaction has moved the coin; the caller’s is not submitted again', async () => {
    const { coin, ledger, submitted, repeat, endEpoch, effects, totals, state } =
      await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    await repeat();
    expect(submitted).toEqual(['own']);
    const { coins, gasCharged, balance } = await totals();
    expect(coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect([gasCharged, balance.available]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
    expect(await state()).toBe('expired');
  });

  it('remembers the sponsor’s own transaction before it is submitted, and submits the same again until its outcome is known', async () => {
    const { job, ledger, land, submitted, repeat, endEpoch, totals, state } =
      await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved: timed out');
    const begun = await only(beginExecutions(redis, job.sponsor, 'two', [job]));
    expect(begun?.quarantine).toMatchObject({ movedOnBy: OWN_DIGEST, epoch: 6n });
    await expect(repeat()).rejects.toThrow('The coins could not be moved: timed out');
    expect(submitted).toEqual(['own', 'own']);

    land(OWN_DIGEST);
    await repeat();
    expect(submitted).toEqual(['own', 'own']);
    expect((await totals()).coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect(await state()).toBe('expired');
  });

  it('makes no other sponsor’s transaction in the epoch of the first, for which the coins may be locked', async () => {
    const { ledger, submitted, repeat, endEpoch } = await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    ledger.ownDigest = DIGEST;
    await expect(repeat()).rejects.toThrow('for the sponsor’s own transaction');
    expect(submitted).toEqual(['own']);
  });

  it('keeps the coins, for which validators may hold locks, when an input of the caller moves on meanwhile', async () => {
    const { ledger, land, submitted, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    ledger.haveInputsMovedOn = true;
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    expect((await totals()).coins).toMatchObject({ quarantined: 1n, available: 0n });
    expect(submitted).toEqual(['own', 'own']);
    land(OWN_DIGEST);
    await repeat();
    expect((await totals()).gasCharged).toBe(COMPUTATION);
  });

  it('keeps the coins likewise where validators lock them briefly, and in every later epoch', async () => {
    const { ledger, submitted, repeat, endEpoch, totals, age } = await quarantineClaim(redis, {
      objectLockMs: 12_000,
    });
    await expect(repeat()).rejects.toThrow('validators may hold the coins');
    await age(12_500);
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    ledger.haveInputsMovedOn = true;
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    endEpoch();
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    expect((await totals()).coins).toMatchObject({ quarantined: 1n, available: 0n });
    expect(submitted).toEqual(['own', 'own', 'own']);
  });

  it('keeps the coins when another executor begins to move them while this one looks at the inputs', async () => {
    const { job, ledger, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    ledger.haveInputsMovedOn = true;
    ledger.whenInputsRead = async () => {
      const own = { ...job, message: '', epoch: 6n, movedOnBy: OWN_DIGEST };
      await quarantineExecution(redis, job.sponsor, own);
    };
    await expect(repeat()).rejects.toThrow('Another executor moves the coins');
    expect((await totals()).coins).toMatchObject({ quarantined: 1n, available: 0n });
  });

  it('is left alone by a late executor: another one has ended it, and its coins may be reserved again', async () => {
    const { job, coin, ledger, submitted, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    ledger.whenBuilt = async () => {
      await only(
        settleExecutions(redis, job.sponsor, [
          {
            ...job,
            outcome: 'refused',
            returned: [coin],
            gasCharged: 0n,
            cost: 0n,
            rules: placementRules(1_000_000n),
            retentionMs: 60_000,
          },
        ]),
      );
    };
    await repeat();
    expect(submitted).toEqual([]);
    expect((await totals()).coins).toMatchObject({ quarantined: 0n, available: 1n });
  });
});

describe('a quarantine in the epoch of the submission', () => {
  it('ends as soon as an input has moved on: the caller receives the refusal, and the sponsor moves the coin', async () => {
    const { job, coin, ledger, told, submitted, repeat, effects, totals, state } =
      await quarantineClaim(redis);
    ledger.haveInputsMovedOn = true;
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    ledger.whenSubmitted = async () => {
      expect(told).toEqual(['reserved for another transaction']);
    };
    await repeat();
    expect(submitted).toEqual(['own']);
    expect(await state()).toBe('expired');
    const { coins, balance } = await totals();
    expect(coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect(balance.available).toBe(coin.balance - COMPUTATION);
    expect(await redis.zcard(`fc:{${job.sponsor}}:quarantines:default`)).toBe(0);
  });

  it('ends likewise when the last epoch of the transaction has ended', async () => {
    const { ledger, told, repeat, effects, state } = await quarantineClaim(redis);
    ledger.hasExpired = true;
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    await repeat();
    expect(told).toHaveLength(1);
    expect(await state()).toBe('expired');
  });

  it('keeps the coin that validators hold: only the same transaction is submitted, and the caller receives one refusal', async () => {
    const { ledger, told, submitted, repeat, endEpoch, effects, state } =
      await quarantineClaim(redis);
    ledger.haveInputsMovedOn = true;
    await expect(repeat()).rejects.toThrow('could not be moved');
    ledger.haveInputsMovedOn = false;
    await expect(repeat()).rejects.toThrow('could not be moved');
    ledger.ownDigest = DIGEST;
    await expect(repeat()).rejects.toThrow('for the sponsor’s own transaction');
    expect(submitted).toEqual(['own', 'own']);
    expect(told).toHaveLength(1);
    endEpoch();
    ledger.answer = { kind: 'executed', effects: effects(DIGEST) };
    await repeat();
    expect(await state()).toBe('expired');
  });

  it('continues with the sponsor’s own transaction after a crash that followed the refusal', async () => {
    const { job, ledger, told, repeat, effects, state } = await quarantineClaim(redis);
    await excludeExecution(redis, job.sponsor, job);
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    await repeat();
    expect([told, await state()]).toEqual([[], 'expired']);
  });

  it('takes the effects of the transaction that landed while its inputs were read', async () => {
    const { ledger, land, told, submitted, repeat, state } = await quarantineClaim(redis);
    ledger.haveInputsMovedOn = true;
    ledger.whenInputsRead = async () => void land(DIGEST);
    await repeat();
    expect([told, submitted, await state()]).toEqual([[], [], 'executed']);
  });
});
