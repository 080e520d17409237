import { describe, expect, it } from '@jest/globals';
import { rebuiltStreamKey, setHistoryBacklog } from '../history/history-stream.js';
import { aCoin, randomAddress, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { adoptUsedCoin, type FoundTransaction } from './found-transactions.js';
import { renewCoin, snapshotPool } from './pool-snapshot.js';
import { readPoolTotals } from './pool-totals.js';

const store = useTestStore();

const cause = 'redis_lost_writes' as const;

function paid(digest: string, gasCharged: bigint): FoundTransaction {
  const sponsorship = {
    id: 64,
    executedAt: 1,
    gasBudget: 10n,
    payment: [aCoin(1)],
    result: { outcome: 'success', computation: '9', storage: '3', rebate: '2' } as const,
    sender: randomAddress(),
    commands: ['MakeMoveVec'],
    isBound: false,
  };
  return { digest, gasCharged, sponsorship };
}

describe('transactions that were found on the ledger', () => {
  it('count once, whichever coin they are found with', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(1_000_000);
    await setHistoryBacklog(redis, sponsor, 10);
    const [before] = (await snapshotPool(redis, sponsor)).coins;
    const found = [paid('D1', 10n), { ...paid('D2', -3n), sponsorship: null }];
    const past = { found, unexplained: 0n, cause };
    const after = { ...before!, version: 2, balance: 999_993n };
    const renewal = { before: before!, after, rules, retentionMs, past };
    expect(await renewCoin(redis, sponsor, renewal)).toBe(true);
    expect(await renewCoin(redis, sponsor, renewal)).toBe(false);
    const used = { found: [...found, paid('D3', 5n)], cause };
    expect(await adoptUsedCoin(redis, sponsor, aCoin(70), used, rules)).toBe(true);
    const totals = await readPoolTotals(redis, sponsor);
    expect(totals.found).toEqual({ transactions: 2n, gas: 12n, unexplained: 0n });
    expect(totals.gasCharged).toBe(12n);
    expect(await redis.xlen(rebuiltStreamKey(sponsor))).toBe(2);
    expect((await snapshotPool(redis, sponsor)).faults).toEqual([]);
  });

  it('are counted and not recorded beyond the bound of history', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(1_000_000);
    await setHistoryBacklog(redis, sponsor, 1);
    const used = { found: [paid('D1', 10n), paid('D2', 5n)], cause };
    expect(await adoptUsedCoin(redis, sponsor, aCoin(70), used, rules)).toBe(true);
    expect((await readPoolTotals(redis, sponsor)).found.gas).toBe(15n);
    expect(await redis.xlen(rebuiltStreamKey(sponsor))).toBe(1);
    expect(await redis.get(`fc:{${sponsor}}:history-dropped`)).toBe('1');
  });
});
