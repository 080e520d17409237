import { describe, expect, it } from '@jest/globals';
import {
  beginExecution,
  placementRules,
  prepareCoinStore,
  readPoolTotals,
  settleExecution,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { ShownCoin } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { COMPUTATION, DIGEST } from './claim.test-support.js';
import { OWN_DIGEST, quarantineOnlyCoin, stateOfClaim } from './quarantined-claim.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

const quarantineClaim = () => quarantineOnlyCoin(redis);
const totalsOf = ({ sponsor }: ExecuteTransactionJob) => readPoolTotals(redis, sponsor);
const stateOf = (job: ExecuteTransactionJob) => stateOfClaim(redis, job);

describe('a quarantine', () => {
  it('ends with the transaction’s effects if it has landed after all, even in its own epoch', async () => {
    const { job, coin, land, submitted, repeat } = await quarantineClaim();
    land(DIGEST);
    await repeat();
    const { coins, gasCharged, balance } = await totalsOf(job);
    expect(coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect([gasCharged, balance.available]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
    expect(await stateOf(job)).toBe('executed');
    expect(submitted).toEqual([]);
  });

  it('lasts while the epoch of the submission does, without a look at the coins', async () => {
    const { job, ledger, submitted, repeat } = await quarantineClaim();
    ledger.coinsNow = new Map();
    await expect(repeat()).rejects.toThrow('Quarantined until the epoch ends');
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 1n });
    expect(submitted).toEqual([]);
  });

  it('lasts while the node does not show the coins', async () => {
    const { job, ledger, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.coinsNow = new Map();
    await expect(repeat()).rejects.toThrow('does not show the coins');
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 1n });
    expect(submitted).toEqual([]);
  });

  it('ends without a transaction when the coin has moved on, and returns it as the ledger shows it', async () => {
    const { job, coin, ledger, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    const moved = { ...coin, version: 9, digest: 'C9', balance: 700_000n };
    ledger.coinsNow = new Map([[coin.objectId, moved]]);
    await repeat();
    const { coins, balance } = await totalsOf(job);
    expect([coins.quarantined, coins.available + coins.dust]).toEqual([0n, 1n]);
    expect(balance.available + balance.dust).toBe(700_000n);
    expect(await stateOf(job)).toBe('expired');
    expect(submitted).toEqual([]);
  });

  it.each(['executed', 'moved on'])(
    'lasts while one node shows the coin as its transaction left it, and another does not know that yet (%s)',
    async (outcome) => {
      const { job, coin, ledger, land, repeat, endEpoch } = await quarantineClaim();
      endEpoch();
      ledger.answer = { kind: 'unknown', message: 'timed out' };
      await expect(repeat()).rejects.toThrow('The coins could not be moved');
      const changedBy = outcome === 'executed' ? DIGEST : OWN_DIGEST;
      ledger.coinsNow = new Map([[coin.objectId, { ...coin, version: 2, changedBy }]]);
      await expect(repeat()).rejects.toThrow('does not show the transaction');
      expect(await stateOf(job)).toBe('quarantined');
      land(changedBy);
      await repeat();
      expect(await stateOf(job)).toBe(outcome === 'executed' ? 'executed' : 'expired');
      expect((await totalsOf(job)).gasCharged).toBe(COMPUTATION);
    },
  );

  it('ends with one coin less when the coin is gone', async () => {
    const { job, coin, ledger, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.coinsNow = new Map([[coin.objectId, 'gone']]);
    await repeat();
    const { coins } = await totalsOf(job);
    expect(Object.values(coins).every((count) => count === 0n)).toBe(true);
  });

  it('ends without a transaction when an input of the caller has moved on', async () => {
    const { job, ledger, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.haveInputsMovedOn = true;
    await repeat();
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect(await stateOf(job)).toBe('expired');
    expect(submitted).toEqual([]);
  });

  it('takes the effects of a transaction that lands while its coins are read', async () => {
    const { job, ledger, land, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    const { coinsNow } = ledger;
    Object.defineProperty(ledger, 'coinsNow', {
      get: () => {
        const { reference } = land(DIGEST).gasObject;
        const [[id, coin]] = [...coinsNow] as [[string, ShownCoin]];
        return new Map([[id, { ...coin, version: reference.version }]]);
      },
    });
    await repeat();
    expect(await stateOf(job)).toBe('executed');
    expect((await totalsOf(job)).gasCharged).toBe(COMPUTATION);
  });
});

describe('a quarantine that nothing else has ended', () => {
  it('ends when the sponsor’s own transaction has moved the coin; the caller’s is not submitted again', async () => {
    const { job, coin, ledger, submitted, repeat, endEpoch, effects } = await quarantineClaim();
    endEpoch();
    ledger.answer = { kind: 'executed', effects: effects(OWN_DIGEST) };
    await repeat();
    expect(submitted).toEqual(['own']);
    const { coins, gasCharged, balance } = await totalsOf(job);
    expect(coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect([gasCharged, balance.available]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
    expect(await stateOf(job)).toBe('expired');
  });

  it('remembers the sponsor’s own transaction before it is submitted, and submits the same again until its outcome is known', async () => {
    const { job, ledger, land, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved: timed out');
    const begun = await beginExecution(redis, job.sponsor, { ...job, executor: 'two' });
    expect(begun?.quarantine).toMatchObject({ movedOnBy: OWN_DIGEST, epoch: 6n });
    await expect(repeat()).rejects.toThrow('The coins could not be moved: timed out');
    expect(submitted).toEqual(['own', 'own']);

    land(OWN_DIGEST);
    await repeat();
    expect(submitted).toEqual(['own', 'own']);
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect(await stateOf(job)).toBe('expired');
  });

  it('makes no other transaction of its own in the epoch of the first, for which the coins may be locked', async () => {
    const { ledger, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    ledger.ownDigest = DIGEST;
    await expect(repeat()).rejects.toThrow('Quarantined until the epoch ends');
    expect(submitted).toEqual(['own']);
  });

  it('keeps the coins, for which validators may hold locks, when an input of the caller moves on meanwhile', async () => {
    const { job, ledger, land, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.answer = { kind: 'unknown', message: 'timed out' };
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    ledger.haveInputsMovedOn = true;
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 1n, available: 0n });
    expect(submitted).toEqual(['own', 'own']);
    land(OWN_DIGEST);
    await repeat();
    expect((await totalsOf(job)).gasCharged).toBe(COMPUTATION);
  });

  it('is left alone by an executor that is late: another one has ended it, and its coins may be reserved again', async () => {
    const { job, coin, ledger, submitted, repeat, endEpoch } = await quarantineClaim();
    endEpoch();
    ledger.whenBuilt = async () => {
      await settleExecution(redis, job.sponsor, {
        ...job,
        outcome: 'refused',
        returned: [coin],
        gasCharged: 0n,
        cost: 0n,
        rules: placementRules(1_000_000n),
        retentionMs: 60_000,
      });
    };
    await repeat();
    expect(submitted).toEqual([]);
    expect((await totalsOf(job)).coins).toMatchObject({ quarantined: 0n, available: 1n });
  });
});
