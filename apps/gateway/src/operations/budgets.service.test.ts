import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { CONFIGURED_CALLER, type Caller } from '@forecourt/policy/tokens';
import type { UsageLimit } from '@forecourt/policy/access';
import type { CallerRules } from '../access/access-policy.js';
import { BudgetsService } from './budgets.service.js';

const SPONSOR = `0x${'5'.repeat(64)}`;
const DAY_MS = 86_400_000;

const cap = (counter: string, limit: bigint, operator: '<' | '<=' = '<='): UsageLimit => ({
  counts: 'gas',
  counter,
  comparison: { operator, limit },
  windowMs: DAY_MS,
  until: null,
  countBy: [],
  budget: null,
});
const token = (name: string, over: Partial<Caller> = {}): Caller => ({
  ...CONFIGURED_CALLER,
  name,
  token: name,
  budget: [cap(`of ${name}`, 5_000_000_000n)],
  ...over,
});
const shop = token('shop', { rateLimit: { requests: 5, windowMs: 1_000 } });
const game = token('game', { budget: [cap('of game', 10n, '<')] });
const sponsorBudget = [cap('of the sponsor', 100n)];

/** Every counter has counted 20 in a window that ends in a minute; one of `unused` nothing. */
function budgets(unused: readonly string[] = [], callers: readonly Caller[] = [shop, game]) {
  const calls: string[] = [];
  const service = new BudgetsService(
    partial({
      callers,
      rulesOf: ({ budget }) => ({ caps: [...budget, ...sponsorBudget] }) as unknown as CallerRules,
    }),
    partial({
      readUsages: async ({ counters, sponsor }) => {
        expect(counters.length).toBeLessThan(201);
        expect(calls.length === 0 || sponsor !== undefined).toBe(true);
        calls.push(...counters);
        const usages = counters.map((counter) =>
          unused.includes(counter)
            ? { counter, used: '0', endsInMs: 0 }
            : { counter, used: '20', endsInMs: 60_000 },
        );
        return { sponsor: sponsor ?? SPONSOR, usages };
      },
    }),
  );
  return { service, calls };
}

describe('the limits in use', () => {
  it('of a token are its own: what is used and left of each budget, and when it resets', async () => {
    const { service, calls } = budgets();
    const before = Date.now();
    const { sponsor_address: sponsor, limits } = await service.list(shop, false);
    expect(sponsor).toBe(SPONSOR);
    expect(limits).toEqual([
      {
        token: 'shop',
        budgets: [
          {
            limit: 'gas <= 5 IOTA in 1 day',
            most: '5000000000',
            used: '20',
            left: '4999999980',
            window_secs: 86_400,
            resets_at: expect.any(Number),
            ends_at: null,
          },
        ],
        others: ['requests <= 5 in 1 second'],
      },
    ]);
    expect(limits[0]!.budgets[0]!.resets_at).toBeGreaterThanOrEqual(before + 60_000);
    expect(calls).toEqual(['of shop']);
  });

  it('of a user are not budgets: their use would tell of other users', async () => {
    const { service, calls } = budgets();
    const user = { ...shop, name: 'shop:0xa', sender: `0x${'a'.repeat(64)}` };
    const { limits } = await service.list(user, false);
    expect([limits[0]!.token, limits[0]!.budgets, calls]).toEqual(['shop', [], []]);
  });

  it('for one who reads all are those of every token and of the sponsor', async () => {
    const ops = token('ops', { budget: [] });
    const { limits } = await budgets(['of shop']).service.list(ops, true);
    expect(limits.map((one) => [one.token, one.budgets[0]?.left])).toEqual([
      ['shop', '5000000000'],
      // Less than 10, of which 20 are used.
      ['game', '0'],
      [null, '80'],
    ]);
    expect(limits[0]!.budgets[0]!.resets_at).toBeNull();
  });

  it('of many tokens are read part by part, from one sponsor', async () => {
    const many = Array.from({ length: 450 }, (_, index) => token(`t${index}`));
    const { service, calls } = budgets([], many);
    const { limits } = await service.list(token('ops', { budget: [] }), true);
    expect([limits.length, calls.length, new Set(calls).size]).toEqual([451, 451, 451]);
  });

  it('are those of another sponsor, if one is asked for', async () => {
    const many = Array.from({ length: 450 }, (_, index) => token(`t${index}`));
    const { service } = budgets([], many);
    const other = `0x${'6'.repeat(64)}`;
    const { sponsor_address: sponsor, limits } = await service.list(shop, true, other);
    expect([sponsor, limits.length]).toEqual([other, 451]);
  });
});
