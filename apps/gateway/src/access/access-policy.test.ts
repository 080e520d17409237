import { afterAll, describe, expect, it } from '@jest/globals';
import type { CurrentUsage } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { TemporaryFolder } from '@forecourt/testing/jest';
import {
  aPolicy as policyIn,
  ASK_HOOK,
  DENY,
  DRY_RUN,
  LIMIT,
} from './access-policy.test-support.js';
import { previewAccess } from './access-preview.js';
import { SUBJECT } from './access-subject.test-support.js';
import { accessRefusal } from './access-refusal.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const aPolicy = (...file: [policy: string, rules?: string, more?: string]) =>
  policyIn(folder, ...file);

describe('a reservation that no transaction could use', () => {
  it('is refused and audited, unless the rules are only tried out', async () => {
    const refusal: { rule?: string } = {};
    const decide = ({ access }: Awaited<ReturnType<typeof aPolicy>>) =>
      access.decideReservation(CONFIGURED_CALLER, SUBJECT, 'r-1', refusal);
    const denying = await aPolicy('allow-all', DENY);
    expect(() => decide(denying)).toThrow('not today');
    expect(refusal).toEqual({ rule: 'nobody' });
    expect(denying.outcomes()).toEqual([['reserve', 'deny', 'nobody']]);
    const general = await aPolicy('deny-all');
    const forbidden = { code: 'FORBIDDEN', message: expect.stringContaining('reservation') };
    expect(() => decide(general)).toThrow(expect.objectContaining(forbidden));
    const tried = await aPolicy('allow-all', DENY, DRY_RUN);
    expect(() => decide(tried)).not.toThrow();
    expect(tried.written).toMatchObject([{ outcome: 'deny', dryRun: true }]);
    const allowing = await aPolicy('allow-all');
    expect(() => decide(allowing)).not.toThrow();
    expect(allowing.written).toEqual([]);
  });

  it('is decided by the rule set of its token', async () => {
    const { access } = await aPolicy('allow-all');
    const strict = { ...CONFIGURED_CALLER, rules: { policy: 'deny-all', rules: [] } as const };
    expect(() => access.decideReservation(strict, SUBJECT, 'r-1', {})).toThrow();
    expect(() => access.decideReservation(CONFIGURED_CALLER, SUBJECT, 'r-1', {})).not.toThrow();
    expect(access.rulesOf(strict).ruleSet).toBe(strict.rules);
  });
});

describe('a preview of a decision', () => {
  const preview = async (policy: string, rules: string, more = '', used = '0') => {
    const { access, written } = await aPolicy(policy, rules, more);
    const read: string[][] = [];
    const rulesInForce = access.rulesOf(CONFIGURED_CALLER);
    const answer = await previewAccess(SUBJECT, rulesInForce, async (counters) => {
      read.push([...counters]);
      return counters.map((counter): CurrentUsage => ({ counter, used, endsInMs: 90_001 }));
    });
    expect(written).toEqual([]);
    return { ...answer, read };
  };

  it('shows the rule, and the current usage of its limits', async () => {
    const answer = await preview('deny-all', LIMIT);
    expect(answer).toMatchObject({ rule: 'few', refusal: null, undecided: null });
    expect(answer.limits).toEqual([
      {
        counts: 'requests',
        used: '0',
        amount: '1',
        limit: '1',
        remaining: '0',
        window_secs: 3_600,
        ends_at: null,
      },
    ]);
    expect(answer.read).toHaveLength(1);
  });

  it('shows the error that would refuse it', async () => {
    const limited = await preview('deny-all', LIMIT, '', '1');
    expect(limited).toMatchObject({ rule: null, refusal: { code: 'REQUEST_LIMIT' } });
    expect(limited.refusal!.message).toContain(
      'requests <= 1 in 1 hour by rule few; it is renewed',
    );
    const denied = await preview('allow-all', DENY);
    expect(denied).toMatchObject({ rule: 'nobody', refusal: { code: 'FORBIDDEN' }, read: [] });
    const tried = await preview('allow-all', DENY, DRY_RUN);
    expect(tried).toMatchObject({ rule: 'nobody', refusal: null });
  });

  it('does not call a hook, and says that one decides', async () => {
    const hooked = await preview('deny-all', ASK_HOOK);
    expect(hooked).toMatchObject({ rule: null, refusal: null, limits: [] });
    expect(hooked.undecided).toContain('a hook decides');
    expect(await preview('deny-all', ASK_HOOK, DRY_RUN)).toMatchObject({ undecided: null });
  });
});

describe('an exceeded budget', () => {
  const of = (counter: string, limit: bigint) => ({
    counts: 'gas' as const,
    counter,
    comparison: { operator: '<=' as const, limit },
    windowMs: 86_400_000,
    until: null,
    isOver: false,
    countBy: [],
    budget: null,
  });
  const limits = [of('own', 5_000_000_000n)];
  /**
   * The message of the refusal of a transaction beyond the budget with this counter; a user shares that of
   * its token.
   */
  const messageOf = (counter: string, isShared = false) => {
    const decision = {
      outcome: 'limited',
      rule: null,
      limit: { rule: null, check: counter === 'own' ? limits[0]! : of(counter, 70_000_000_000n) },
      message: null,
      checks: [],
      allowsGasPrice: false,
      allowsAbstractAccount: false,
    } as const;
    const known = new Map([
      [counter, { used: 0n, endsInMs: 90_000 }],
      ['another one', { used: 0n, endsInMs: 500_000 }],
    ]);
    return accessRefusal(decision, known, { budget: { token: 'shop', isShared, limits } }).message;
  };

  it('is named with its window, its token, and when it resets', () => {
    expect(messageOf('own')).toBe(
      'Spending limit reached: gas <= 5 IOTA in 1 day, the budget of token shop; it is renewed within 90 s',
    );
  });

  it('is named without its amount where others use it too', () => {
    expect(messageOf('own', true)).toBe(
      'Spending limit reached: the budget of token shop, which its users share; it is renewed within 90 s',
    );
    expect(messageOf('of the sponsor')).toBe(
      'Spending limit reached: the budget of the gas station; it is renewed within 90 s',
    );
  });
});

describe('a counter', () => {
  it('is described by the limit in the files, also one of a group', async () => {
    const { access } = await aPolicy('deny-all', LIMIT);
    const [limit] = access.rulesOf(CONFIGURED_CALLER).ruleSet.rules[0]!.limits;
    const described = 'requests <= 1 in 1 hour, rule few';
    expect(access.describeCounter(limit!.counter)).toBe(described);
    expect(access.describeCounter(`${limit!.counter}:2e80be27`)).toBe(described);
    expect(access.describeCounter('2e80be27')).toBeNull();
  });
});

describe('a file of rules that is read again', () => {
  it('takes effect as a whole, or not at all if it has a mistake', async () => {
    const { access, logger, warnings, write, text } = await aPolicy('deny-all');
    const isDenied = async () => {
      const rules = access.rulesOf(CONFIGURED_CALLER);
      return (await previewAccess(SUBJECT, rules, async () => [])).refusal !== null;
    };
    write(text('unheard-of'));
    await expect(access.reload(logger)).rejects.toMatchObject({ code: 'ACCESS_RULES_INVALID' });
    expect([await isDenied(), warnings.length]).toEqual([true, 0]);
    write(text('disabled'));
    await access.reload(logger);
    expect(await isDenied()).toBe(false);
    expect(warnings.length).toBeGreaterThan(0);
    expect(await access.tokens.callerOf('Bearer token')).toBe(CONFIGURED_CALLER);
  });
});
