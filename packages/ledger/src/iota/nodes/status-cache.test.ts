import { describe, expect, it } from '@jest/globals';
import { StatusCache } from './status-cache.js';

const EPOCH_MS = 100_000;

/** A ledger whose epochs are as long as planned, and a clock that is set by hand. */
function aLedger(maxAgeMs: number) {
  const ledger = { now: 1_000_000, request: 0, epoch: 7n, endsAt: 1_000_000 + EPOCH_MS };
  const ask = () => {
    ledger.request += 1;
    return Promise.resolve({
      epoch: ledger.epoch,
      referenceGasPrice: 1_000n,
      epochStartedAt: ledger.endsAt - EPOCH_MS,
      objectLockMs: null,
      epochEndsAt: ledger.endsAt,
    });
  };
  const cache = new StatusCache(ask, maxAgeMs, () => ledger.now);
  return { ledger, cache };
}

describe('StatusCache', () => {
  it('reads the status once per epoch', async () => {
    const { ledger, cache } = aLedger(Infinity);
    for (ledger.now = 1_000_000; ledger.now < ledger.endsAt; ledger.now += 1_000) {
      expect((await cache.read()).epoch).toBe(7n);
    }
    expect(ledger.request).toBe(1);
  });

  it('reads the status every second from the planned end of the epoch until the next one begins', async () => {
    const { ledger, cache } = aLedger(Infinity);
    await cache.read();
    ledger.now = ledger.endsAt;
    expect((await cache.read()).epoch).toBe(7n);
    await cache.read();
    expect(ledger.request).toBe(2);
    ledger.epoch = 8n;
    ledger.endsAt += EPOCH_MS;
    ledger.now += 1_000;
    expect((await cache.read()).epoch).toBe(8n);
    ledger.now += 50_000;
    await cache.read();
    expect(ledger.request).toBe(3);
  });

  it('reads the status again after the configured maximum age, and at once on request', async () => {
    const { ledger, cache } = aLedger(5_000);
    await cache.read();
    ledger.now += 4_999;
    await cache.read();
    expect(ledger.request).toBe(1);
    ledger.now += 1;
    await cache.read();
    await cache.read(0);
    expect(ledger.request).toBe(3);
  });

  it('reads the status again when a transaction was executed in a later epoch', async () => {
    const { ledger, cache } = aLedger(Infinity);
    await cache.read();
    cache.noteEpoch(7n);
    await cache.read();
    expect(ledger.request).toBe(1);
    ledger.epoch = 8n;
    cache.noteEpoch(8n);
    expect((await cache.read()).epoch).toBe(8n);
  });

  it('forgets a failure', async () => {
    let calls = 0;
    const cache = new StatusCache(() => Promise.reject(new Error(`${(calls += 1)}`)), Infinity);
    await expect(cache.read()).rejects.toThrow('1');
    await expect(cache.read()).rejects.toThrow('2');
  });
});
