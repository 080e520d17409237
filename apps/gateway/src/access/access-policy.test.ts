import { afterAll, describe, expect, it } from '@jest/globals';
import type { CurrentUsage } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { TemporaryFolder } from '@forecourt/testing/jest';
import type { AuditedDecision } from './access-audit.js';
import { AccessPolicy } from './access-policy.js';
import { SUBJECT } from './access-subject.test-support.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const settings = {
  tokens: ['token'],
  allowUnauthenticated: false,
  tokensFile: null,
  hookSecret: null,
};
/** A port without a listener. */
const HOOK = 'http://127.0.0.1:1/';

/** A gateway's policy by a file of rules; `more` stands beside its rules. */
async function aPolicy(policy: string, rules = '', more = '') {
  const written: AuditedDecision[] = [];
  const warnings: unknown[] = [];
  const write = (text: string) => folder.write('rules.yaml', text);
  const text = (itsPolicy: string) =>
    `access-controller:\n  access-policy: ${itsPolicy}\n${more}${rules && `  rules:\n${rules}`}`;
  const accessRulesFile = write(text(policy));
  const access = await AccessPolicy.load(
    { ...settings, accessRulesFile },
    {
      requireWritable: () => undefined,
      write: (decision: AuditedDecision) => void written.push(decision),
    },
    { warn: (fields: unknown) => void warnings.push(fields) },
  );
  const ask = () => access.ask(CONFIGURED_CALLER, SUBJECT, 'r-1');
  const outcomes = () => written.map(({ stage, outcome, rule }) => [stage, outcome, rule?.name]);
  return { access, ask, outcomes, written, warnings, write, text };
}

const DENY = `    - name: nobody\n      action: deny\n      message: not today\n`;
const LIMIT = `    - name: few\n      action: allow\n      requests: { value: <=1, window: 1 h }\n`;
const ASK_HOOK = `    - name: hooked\n      action: ${HOOK}\n`;
const DRY_RUN = '  dry-run: true\n';

const usedUp = (counter: string): CurrentUsage => ({ counter, used: '1', endsInMs: 90_001 });

describe('AccessQuestion', () => {
  it('returns the usage that the claim must find, and audits once the claim is made', async () => {
    const { ask, outcomes } = await aPolicy('deny-all', LIMIT);
    const question = ask();
    expect([question.ruleName, question.allowsGasPrice]).toEqual(['', false]);
    const expected = { operator: '<=', limit: '1', amount: '1', counts: 'requests', held: true };
    expect(await question.decide()).toMatchObject([{ ...expected, expected: true }]);
    expect([question.ruleName, question.freesDenied, outcomes()]).toEqual(['few', false, []]);
    question.auditClaim();
    expect(outcomes()).toEqual([['execute', 'allow', 'few']]);
  });

  it('throws FORBIDDEN with the text of the rule, or a general one', async () => {
    const denying = await aPolicy('allow-all', DENY, '  denied-reservation: free\n');
    const question = denying.ask();
    const forbidden = { code: 'FORBIDDEN', message: expect.stringContaining('not today') };
    await expect(question.decide()).rejects.toMatchObject(forbidden);
    question.auditClaim();
    expect(denying.outcomes()).toEqual([['execute', 'deny', 'nobody']]);
    expect([question.ruleName, question.freesDenied]).toEqual(['nobody', true]);
    const general = await aPolicy('deny-all');
    await expect(general.ask().decide()).rejects.toMatchObject({
      message: expect.stringContaining('do not allow this transaction'),
    });
  });

  it('uses the values that a claim has found, and says when the limit is renewed', async () => {
    const { ask, outcomes } = await aPolicy('deny-all', LIMIT);
    const question = ask();
    const [check] = await question.decide();
    question.learn([usedUp(check!.counter)]);
    await expect(question.decide()).rejects.toMatchObject({
      code: 'SPENDING_LIMIT',
      retryAfterSecs: 91,
      message: expect.stringContaining('renewed within 91 s'),
    });
    expect(outcomes()).toEqual([['execute', 'limited', undefined]]);
  });

  it('throws ACCESS_UNDECIDED while a hook does not answer', async () => {
    const { ask, written } = await aPolicy('deny-all', ASK_HOOK);
    await expect(ask().decide()).rejects.toMatchObject({ code: 'ACCESS_UNDECIDED' });
    expect(written).toMatchObject([{ outcome: 'undecided', reason: expect.any(String) }]);
  });

  it.each([
    ['deny', DENY],
    ['undecided', ASK_HOOK],
  ])('refuses nothing while the rules are tried out: %s', async (outcome, rules) => {
    const { ask, written } = await aPolicy('allow-all', rules, DRY_RUN);
    expect(await ask().decide()).toEqual([]);
    expect(written).toMatchObject([{ outcome, dryRun: true, requestId: 'r-1' }]);
  });

  it('counts in the budgets of the token and of the sponsor', async () => {
    const ofSponsor = '  sponsor-budget: { value: 1000, window: 1 day }\n';
    const { access } = await aPolicy('allow-all', '', ofSponsor);
    const cap = {
      counts: 'gas',
      counter: 'own',
      comparison: { operator: '<=', limit: 700n },
      windowMs: 1_000,
      countBy: [],
    } as const;
    const question = access.ask({ ...CONFIGURED_CALLER, budget: [cap] }, SUBJECT, 'r-1');
    expect(await question.decide()).toMatchObject([
      { counter: 'own', limit: '700', amount: '500' },
      { limit: '1000', amount: '500', windowMs: 86_400_000 },
    ]);
  });
});

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
    await expect(access.ask(strict, SUBJECT, 'r-1').decide()).rejects.toThrow();
  });
});

describe('a preview of a decision', () => {
  const preview = async (policy: string, rules: string, more = '', used = '0') => {
    const { access, written } = await aPolicy(policy, rules, more);
    const read: string[][] = [];
    const shown = await access.preview(CONFIGURED_CALLER, SUBJECT, async (counters) => {
      read.push([...counters]);
      return counters.map((counter) => ({ ...usedUp(counter), used }));
    });
    expect(written).toEqual([]);
    return { ...shown, read };
  };

  it('shows the rule, and the current usage of its limits', async () => {
    const shown = await preview('deny-all', LIMIT);
    expect(shown).toMatchObject({ rule: 'few', refusal: null, undecided: null });
    expect(shown.limits).toEqual([
      {
        counts: 'requests',
        used: '0',
        amount: '1',
        limit: '1',
        remaining: '0',
        window_secs: 3_600,
      },
    ]);
    expect(shown.read).toHaveLength(1);
  });

  it('shows the error that would refuse it', async () => {
    const limited = await preview('deny-all', LIMIT, '', '1');
    expect(limited).toMatchObject({ rule: null, refusal: { code: 'SPENDING_LIMIT' } });
    const denied = await preview('allow-all', DENY);
    expect(denied).toMatchObject({ rule: 'nobody', refusal: { code: 'FORBIDDEN' }, read: [] });
    const tried = await preview('allow-all', DENY, DRY_RUN);
    expect(tried).toMatchObject({ rule: 'nobody', refusal: null });
  });

  it('calls no hook, and says that one decides', async () => {
    const hooked = await preview('deny-all', ASK_HOOK);
    expect(hooked).toMatchObject({ rule: null, refusal: null, limits: [] });
    expect(hooked.undecided).toContain('a hook decides');
    expect(await preview('deny-all', ASK_HOOK, DRY_RUN)).toMatchObject({ undecided: null });
  });
});

describe('a file of rules that is read again', () => {
  it('takes effect as a whole, or not at all if it has a mistake', async () => {
    const { access, warnings, write, text } = await aPolicy('deny-all');
    const logger = { info: () => undefined, warn: (fields: unknown) => void warnings.push(fields) };
    const isDenied = async () =>
      access
        .ask(CONFIGURED_CALLER, SUBJECT, 'r-1')
        .decide()
        .then(
          () => false,
          () => true,
        );
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
