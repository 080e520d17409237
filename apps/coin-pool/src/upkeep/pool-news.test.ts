import { beforeEach, describe, expect, it } from '@jest/globals';
import { coinStates, type PoolTotals } from '@forecourt/coin-store';
import { FLEET_EVENTS_KEY } from '@forecourt/contracts';
import { partial, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { PoolNews } from './pool-news.js';
import type { Look, Term } from './upkeep-task.js';

const redis = useRedis((url) => new Redis(url));
const SPONSOR = `0x${'5'.repeat(64)}`;
const SETTINGS = { announceAfterMs: 0, minCoins: 5, targetCoins: 20 };

beforeEach(() => redis.flushall());

function aPool({ settings = SETTINGS, isConfigured = true } = {}) {
  const logger = { info: () => undefined };
  return new PoolNews(
    redis,
    partial({ isConfigured: () => isConfigured }),
    partial(settings),
    partial(logger),
  );
}

function aTerm(hasAdopted = true): Term {
  return { hasAdopted, isFilled: false, isExamined: false, searches: 0 };
}

/** The view of a leader of a pool with this many available and reserved coins. */
function aLook(term: Term, available: number, over: Partial<Look> & { reserved?: number } = {}) {
  const { reserved = 0, ...more } = over;
  const zeros = Object.fromEntries(coinStates.map((state) => [state, 0n]));
  const coins = { ...zeros, available: BigInt(available), reserved: BigInt(reserved) };
  const totals = { coins, balance: zeros } as unknown as PoolTotals;
  const look = { sponsor: SPONSOR, term, totals, isDrained: false, suspendedMs: null, ...more };
  return look as Look;
}

async function run(news: PoolNews, ...looks: Look[]): Promise<void> {
  for (const look of looks) await news.tasks[0]!.run(look);
}

async function announced() {
  const entries = await redis.xrange(FLEET_EVENTS_KEY, '-', '+');
  return entries.map(([, pairs]) => pairs[pairs.indexOf('type') + 1]);
}

describe('the news of a pool', () => {
  it('tells once that it runs low, that it is exhausted, and again after it has recovered', async () => {
    const term = aTerm();
    const numbers = [20, 1, 1, 0, 0, 1, 20, 1];
    await run(aPool(), ...numbers.map((available) => aLook(term, available, { reserved: 9 })));
    expect(await announced()).toEqual(['sponsor.low', 'sponsor.exhausted', 'sponsor.low']);
    const [[, pairs]] = (await redis.xrange(FLEET_EVENTS_KEY, '-', '+')) as [[string, string[]]];
    expect(pairs).toContain(SPONSOR);
    expect(JSON.parse(pairs[pairs.indexOf('data') + 1]!)).toEqual({
      available_coins: 1,
      usable_coins: 10,
      target_coins: 20,
      treasury: '0',
    });
  });

  it('tells nothing about a level that does not last', async () => {
    const term = aTerm();
    const news = aPool({ settings: { ...SETTINGS, announceAfterMs: 60_000 } });
    await run(news, aLook(term, 0), aLook(term, 20), aLook(term, 0));
    expect(await announced()).toEqual([]);
  });

  it.each<[string, Partial<Look>, boolean]>([
    ['is drained', { isDrained: true }, true],
    ['no longer has a key', {}, false],
    ['was not searched yet', { term: aTerm(false) }, true],
  ])('tells nothing about a sponsor that %s', async (_, over, isConfigured) => {
    await run(aPool({ isConfigured }), aLook(aTerm(), 0, over));
    expect(await announced()).toEqual([]);
  });

  it('tells of a suspension and its end, and of no level meanwhile', async () => {
    const term = aTerm();
    const suspended = aLook(term, 0, { suspendedMs: 900 });
    await run(aPool(), aLook(term, 20), suspended, suspended, aLook(term, 20));
    expect(await announced()).toEqual(['pool.suspended', 'pool.resumed']);
  });

  it('repeats nothing that an earlier leader has told, and tells what that one had no time for', async () => {
    const suspended = aLook(aTerm(), 20, { suspendedMs: 900 });
    await run(aPool(), aLook(aTerm(), 1), suspended);
    await run(aPool(), { ...suspended, term: aTerm() }, aLook(aTerm(), 1), aLook(aTerm(), 0));
    expect(await announced()).toEqual([
      'sponsor.low',
      'pool.suspended',
      'pool.resumed',
      'sponsor.exhausted',
    ]);
  });
});
