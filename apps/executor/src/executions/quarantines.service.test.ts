import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import type { ShownCoin } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { COMPUTATION, DIGEST } from './claim.test-support.js';
import { OWN_DIGEST, quarantineClaim } from './quarantine.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('a quarantine', () => {
  it('ends with the transaction’s effects if it has landed after all, even in its own epoch', async () => {
    const { coin, land, submitted, repeat, totals, state } = await quarantineClaim(redis);
    land(DIGEST);
    await repeat();
    const { coins, gasCharged, balance } = await totals();
    expect(coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect([gasCharged, balance.available]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
    expect(await state()).toBe('executed');
    expect(submitted).toEqual([]);
  });

  it('lasts until the epoch of the submission ends, without a look at the coins', async () => {
    const { ledger, submitted, repeat, totals } = await quarantineClaim(redis);
    ledger.coinsNow = new Map();
    await expect(repeat()).rejects.toThrow('validators may hold the coins');
    expect((await totals()).coins).toMatchObject({ quarantined: 1n });
    expect(submitted).toEqual([]);
  });

  it('does not last until the epoch of another network, from which it was begun', async () => {
    const { submitted, repeat, endEpoch, begun } = await quarantineClaim(redis, {
      foreignEpochs: 900n,
    });
    const bound = async () => (await begun())?.quarantine?.epoch;
    const before = (await bound())!;
    await expect(repeat()).rejects.toThrow('validators may hold the coins');
    // A node may be an epoch behind.
    expect(await bound()).toBe(before - 900n + 1n);
    endEpoch();
    await expect(repeat()).rejects.toThrow('validators may hold the coins');
    expect(submitted).toEqual([]);
    endEpoch();
    await expect(repeat()).rejects.toThrow('The coins could not be moved');
    expect(submitted).toEqual(['own']);
  });

  it('lasts while the node does not show the coins', async () => {
    const { ledger, submitted, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    ledger.coinsNow = new Map();
    await expect(repeat()).rejects.toThrow('does not show the coins');
    expect((await totals()).coins).toMatchObject({ quarantined: 1n });
    expect(submitted).toEqual([]);
  });

  it('ends without a transaction when the coin has moved, and leaves it to the coin-pool', async () => {
    const { coin, ledger, submitted, repeat, endEpoch, totals, state } =
      await quarantineClaim(redis);
    endEpoch();
    const moved = { ...coin, version: 9, digest: 'C9', balance: 700_000n };
    ledger.coinsNow = new Map([[coin.objectId, moved]]);
    await repeat();
    const { coins, balance } = await totals();
    expect(coins).toMatchObject({ quarantined: 0n, maintenance: 1n });
    expect(balance.maintenance).toBe(coin.balance);
    expect(await state()).toBe('expired');
    expect(submitted).toEqual([]);
  });

  it.each(['at once', 'and users’ since'])(
    'ends with the cost of the sponsor’s own transaction that Redis has lost (%s)',
    async (since) => {
      const { job, coin, landUnknown, submitted, repeat, endEpoch, totals, state } =
        await quarantineClaim(redis);
      endEpoch();
      landUnknown(OWN_DIGEST, coin.version, job.sponsor);
      if (since !== 'at once') {
        landUnknown('one', coin.version + 1, '0xa');
        landUnknown('two', coin.version + 2, '0xb');
      }
      await repeat();
      const { coins, balance, gasCharged } = await totals();
      // The coin-pool counts the others.
      const place = since === 'at once' ? 'available' : 'maintenance';
      expect(coins).toMatchObject({ quarantined: 0n, [place]: 1n });
      expect([gasCharged, balance[place]]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
      expect(await state()).toBe('expired');
      expect(submitted).toEqual([]);
    },
  );

  it('leaves a user’s transaction that Redis has lost to the coin-pool', async () => {
    const { coin, landUnknown, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    landUnknown(OWN_DIGEST, coin.version, '0xa');
    await repeat();
    const { coins, balance, gasCharged } = await totals();
    expect(coins).toMatchObject({ quarantined: 0n, maintenance: 1n });
    expect([gasCharged, balance.maintenance]).toEqual([0n, coin.balance]);
  });

  it('lasts while the node does not show how the coin came to its version', async () => {
    const { job, coin, landUnknown, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    landUnknown('later', coin.version + 1, job.sponsor);
    await expect(repeat()).rejects.toThrow('does not show the transaction');
    expect((await totals()).coins.quarantined).toBe(1n);
    endEpoch(3n);
    await repeat();
    expect((await totals()).coins).toMatchObject({ quarantined: 0n, maintenance: 1n });
  });

  it.each(['executed', 'moved on'])(
    'lasts while one node shows the coin as its transaction left it, and another does not know that yet (%s)',
    async (outcome) => {
      const { coin, ledger, land, repeat, endEpoch, totals, state } = await quarantineClaim(redis);
      endEpoch();
      ledger.answer = { kind: 'unknown', message: 'timed out' };
      await expect(repeat()).rejects.toThrow('The coins could not be moved');
      const changedBy = outcome === 'executed' ? DIGEST : OWN_DIGEST;
      ledger.coinsNow = new Map([[coin.objectId, { ...coin, version: 2, changedBy }]]);
      await expect(repeat()).rejects.toThrow('does not show the transaction');
      expect(await state()).toBe('quarantined');
      land(changedBy);
      await repeat();
      expect(await state()).toBe(outcome === 'executed' ? 'executed' : 'expired');
      expect((await totals()).gasCharged).toBe(COMPUTATION);
    },
  );

  it.each(['executed', 'moved on'])(
    'ends as the coin shows once its transaction may have been pruned by every node (%s)',
    async (outcome) => {
      const { coin, ledger, repeat, endEpoch, totals, state } = await quarantineClaim(redis);
      endEpoch();
      ledger.answer = { kind: 'unknown', message: 'timed out' };
      await expect(repeat()).rejects.toThrow('The coins could not be moved');
      endEpoch(3n);
      const changedBy = outcome === 'executed' ? DIGEST : OWN_DIGEST;
      const balance = coin.balance - COMPUTATION;
      ledger.coinsNow = new Map([[coin.objectId, { ...coin, version: 2, balance, changedBy }]]);
      await repeat();
      expect(await state()).toBe(outcome === 'executed' ? 'executed' : 'expired');
      const { gasCharged, balance: now } = await totals();
      expect([gasCharged, now.available]).toEqual([COMPUTATION, balance]);
    },
  );

  it('ends with one coin less when no node shows the coin for epochs: it was deleted so long ago that nodes forgot it', async () => {
    const { ledger, repeat, endEpoch, totals, state } = await quarantineClaim(redis);
    ledger.coinsNow = new Map();
    endEpoch(2n);
    await expect(repeat()).rejects.toThrow('does not show the coins');
    endEpoch();
    await repeat();
    const { coins } = await totals();
    expect(Object.values(coins).every((count) => count === 0n)).toBe(true);
    expect(await state()).toBe('expired');
  });

  it('ends when the coin is gone, and leaves that to the coin-pool', async () => {
    const { coin, ledger, repeat, endEpoch, totals } = await quarantineClaim(redis);
    endEpoch();
    ledger.coinsNow = new Map([[coin.objectId, 'gone']]);
    await repeat();
    expect((await totals()).coins).toMatchObject({ quarantined: 0n, maintenance: 1n });
  });

  it('ends without a transaction when another transaction has moved an input of the caller', async () => {
    const { ledger, submitted, repeat, endEpoch, totals, state } = await quarantineClaim(redis);
    endEpoch();
    ledger.haveInputsMovedOn = true;
    await repeat();
    expect((await totals()).coins).toMatchObject({ quarantined: 0n, available: 1n });
    expect(await state()).toBe('expired');
    expect(submitted).toEqual([]);
  });

  it('takes the effects of a transaction that lands while its coins are read', async () => {
    const { ledger, land, repeat, endEpoch, totals, state } = await quarantineClaim(redis);
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
    expect(await state()).toBe('executed');
    expect((await totals()).gasCharged).toBe(COMPUTATION);
  });
});
