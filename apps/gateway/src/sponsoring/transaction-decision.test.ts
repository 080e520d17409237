import { afterAll, describe, expect, it } from '@jest/globals';
import { type CurrentUsage, FORECAST_VERSION, type StoredForecast } from '@forecourt/contracts';
import { type LedgerStatus, LedgerUnreachable, type TransactionEffects } from '@forecourt/ledger';
import { HookCaller } from '@forecourt/policy/access';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { aPolicy, ASK_HOOK, DENY, DRY_RUN, LIMIT } from '../access/access-policy.test-support.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { preparing, quarantineLimit } = await import('./transaction-decisions.test-support.js');

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

/** Prepares decisions by a file of rules. */
async function aGateway(...file: [policy: string, rules?: string, more?: string]) {
  const { access: policy, audit, outcomes, written } = await aPolicy(folder, ...file);
  const status = () => Promise.resolve({ referenceGasPrice: 1_000n } as LedgerStatus);
  const prepare = preparing({ policy, audit, hooks: new HookCaller(null), ledger: { status } });
  return { prepare, outcomes, written };
}

const usedUp = (counter: string): CurrentUsage => ({ counter, used: '1', endsInMs: 90_001 });

/** Budget, duration, reference gas price, maximum cost, no abstract account. */
const FACTS = '500 60 1000 500 0';

describe('the decision about a transaction', () => {
  it('names the usage that the claim must find, and is audited once the claim is made', async () => {
    const { prepare, outcomes } = await aGateway('deny-all', LIMIT);
    const { decision, refusal } = prepare();
    const { usage, ...terms } = await decision.decide();
    expect(terms).toEqual({ rule: 'few', facts: FACTS, quarantineLimit });
    const expected = { operator: '<=', limit: '1', amount: '1', counts: 'requests', held: true };
    expect(usage).toMatchObject([{ ...expected, expected: true }]);
    expect([refusal, outcomes()]).toEqual([{ facts: FACTS }, []]);
    decision.auditClaim();
    expect(outcomes()).toEqual([['execute', 'allow', 'few']]);
  });

  it('throws FORBIDDEN with the text of the rule, or a general one', async () => {
    const { prepare, outcomes } = await aGateway('allow-all', DENY);
    const { decision, refusal } = prepare();
    const forbidden = { code: 'FORBIDDEN', message: expect.stringContaining('not today') };
    await expect(decision.decide()).rejects.toMatchObject(forbidden);
    decision.auditClaim();
    expect(outcomes()).toEqual([['execute', 'deny', 'nobody']]);
    expect(refusal).toEqual({ rule: 'nobody', facts: FACTS });
    const general = (await aGateway('deny-all')).prepare();
    await expect(general.decision.decide()).rejects.toMatchObject({
      message: expect.stringContaining('do not allow this transaction'),
    });
  });

  it('uses the values that a claim has found, and says when the limit is renewed', async () => {
    const { prepare, outcomes } = await aGateway('deny-all', LIMIT);
    const { decision } = prepare();
    const { usage } = await decision.decide();
    await expect(decision.decideAgain([usedUp(usage[0]!.counter)])).rejects.toMatchObject({
      code: 'REQUEST_LIMIT',
      retryAfterSecs: 91,
      message: expect.stringContaining('renewed within 91 s'),
    });
    expect(outcomes()).toEqual([['execute', 'limited', undefined]]);
  });

  it('throws ACCESS_UNDECIDED while a hook does not answer', async () => {
    const { prepare, written } = await aGateway('deny-all', ASK_HOOK);
    await expect(prepare().decision.decide()).rejects.toMatchObject({ code: 'ACCESS_UNDECIDED' });
    expect(written).toMatchObject([{ outcome: 'undecided', reason: expect.any(String) }]);
  });

  it.each([
    ['deny', DENY],
    ['undecided', ASK_HOOK],
  ])('refuses nothing while the rules are tried out: %s', async (outcome, rules) => {
    const { prepare, written } = await aGateway('allow-all', rules, DRY_RUN);
    expect(await prepare().decision.decide()).toMatchObject({ usage: [] });
    expect(written).toMatchObject([{ outcome, dryRun: true, requestId: 'r-1' }]);
  });

  it('counts in the budgets of the token and of the sponsor', async () => {
    const ofSponsor = '  sponsor-budget: { value: 1000, window: 1 day }\n';
    const { prepare } = await aGateway('allow-all', '', ofSponsor);
    const cap = {
      counts: 'gas',
      counter: 'own',
      comparison: { operator: '<=', limit: 700n },
      windowMs: 1_000,
      until: null,
      countBy: [],
      budget: { kind: 'token', name: 'shop' },
    } as const;
    const { usage } = await prepare({ budget: [cap] }).decision.decide();
    expect(usage).toMatchObject([
      { counter: 'own', limit: '700', amount: '500', budget: { kind: 'token', name: 'shop' } },
      {
        limit: '1000',
        amount: '500',
        windowMs: 86_400_000,
        budget: { kind: 'sponsor', name: 'sponsor-budget', token: null, until: null },
      },
    ]);
  });

  it('refuses without Retry-After beyond a total, and says why', async () => {
    const total = (until: string) => `  sponsor-budget: { value: 1000, ${until} }\n`;
    const ended = await aGateway('allow-all', '', total('until: 2020-01-31'));
    await expect(ended.prepare().decision.decide()).rejects.toMatchObject({
      code: 'SPENDING_LIMIT',
      retryAfterSecs: null,
      message: expect.stringContaining('the campaign ended at 2020-01-31T00:00:00.000Z'),
    });
    const { decision } = (await aGateway('allow-all', '', total('total: true'))).prepare();
    const { usage } = await decision.decide();
    expect(usage).toMatchObject([{ windowMs: 3_155_760_000_000, expected: true }]);
    const full = { counter: usage[0]!.counter, used: '501', endsInMs: 3_155_760_000_000 };
    await expect(decision.decideAgain([full])).rejects.toMatchObject({
      retryAfterSecs: null,
      message: expect.stringContaining('it is used up, and is not renewed'),
    });
  });

  it('assumes nothing about the counter of a campaign that is over', async () => {
    const { prepare } = await aGateway(
      'allow-all',
      '    - requests: { value: <=5, until: 2020-01-31 }\n      action: allow\n',
    );
    expect((await prepare().decision.decide()).usage).toMatchObject([
      { operator: '<', limit: '0', expected: false, held: false },
    ]);
  });

  it('is made by the rule set of its token', async () => {
    const { prepare } = await aGateway('allow-all');
    const rules = { policy: 'deny-all', rules: [] } as const;
    await expect(prepare({ rules }).decision.decide()).rejects.toThrow();
  });
});

describe('a decision without look-ups', () => {
  const asking = async (wouldCall: boolean) => {
    const { access: policy } = await aPolicy(folder, 'deny-all', ASK_HOOK);
    const requests: unknown[] = [];
    const hooks = {
      wouldCall: () => wouldCall,
      async ask(hook: unknown) {
        requests.push(hook);
        return { decision: 'allow', userMessage: null } as const;
      },
    };
    return { requests, decision: preparing({ policy, hooks })().decision };
  };
  const allowed = { usage: [] };

  it('stays open if it needs a hook, which is then called once', async () => {
    const { requests, decision } = await asking(true);
    expect([await decision.decideWithoutLookUps(), requests.length]).toEqual([null, 0]);
    expect([await decision.decide(), requests.length]).toMatchObject([allowed, 1]);
    expect([await decision.decideWithoutLookUps(), requests.length]).toMatchObject([allowed, 1]);
  });

  it('uses the answer of a hook that needs no call', async () => {
    const { requests, decision } = await asking(false);
    expect([await decision.decideWithoutLookUps(), requests.length]).toMatchObject([allowed, 1]);
  });
});

describe('a decision by a forecast of balance changes', () => {
  const IOTA = `0x${'2'.padStart(64, '0')}::iota::IOTA`;
  const RULE = `    - name: pays
      command-kind: TransferObjects
      balance-changes: [{ owner: sponsor, coin-type: '0x2::iota::IOTA', receives: '>=5' }]
      action: allow`;
  const gasUsed = {
    computationCost: '0',
    computationCostBurned: '0',
    storageCost: '0',
    storageRebate: '0',
    nonRefundableStorageFee: '0',
  };
  const effectsOf = (status: 'success' | 'failure'): TransactionEffects => ({
    messageVersion: 'v1',
    status: { status },
    gasUsed,
    transactionDigest: 'D',
    executedEpoch: '1',
    gasObject: { owner: 'Immutable', reference: { objectId: '0x1', version: 1, digest: 'D' } },
  });
  const changes = (owner: string, amount: bigint) => [{ owner, coinType: IOTA, amount }];

  async function forecasting(
    forecast: 'success' | 'failure' | 'refused' | 'outage',
    file: readonly [policy: string, rules: string, more?: string] = ['deny-all', RULE],
    mistrusted: readonly string[] = [],
  ) {
    const { access: policy, audit, outcomes } = await aPolicy(folder, ...file);
    let dryRuns = 0;
    const remembered: StoredForecast[] = [];
    const did: string[] = [];
    const { decision } = preparing({
      policy,
      audit,
      mistrusted,
      ledger: { readBalanceChanges: (_shown, gasOwner) => changes(gasOwner, 5n) },
      forecasts: {
        remember: async (one) => `stored ${remembered.push(one)}`,
        forget: async (stored) => void did.push(`forgets ${stored}`),
        check: async (stored) => void did.push(`checks ${stored}`),
      },
      forecast: async () => {
        dryRuns += 1;
        if (forecast === 'outage') throw new LedgerUnreachable('no node');
        if (forecast === 'refused') return null;
        const others = { events: [], objectChanges: [], balanceChanges: [] };
        return { effects: effectsOf(forecast), ...others };
      },
    })();
    return { decision, outcomes, dryRuns: () => dryRuns, remembered, did };
  }

  it('stays open until the checks are done, and is made by one dry run', async () => {
    const { decision, dryRuns } = await forecasting('success');
    expect([await decision.decideWithoutLookUps(), dryRuns()]).toEqual([null, 0]);
    expect([await decision.decide(), dryRuns()]).toMatchObject([{ rule: 'pays' }, 1]);
    expect([await decision.decideAgain([]), dryRuns()]).toMatchObject([{ rule: 'pays' }, 1]);
  });

  it.each(['failure', 'refused'] as const)(
    'does not allow after a dry run with %s',
    async (end) => {
      const { decision } = await forecasting(end);
      await expect(decision.decide()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    },
  );

  it('is undecided, and says so in the audit, while no node answers', async () => {
    const { decision, outcomes } = await forecasting('outage');
    await expect(decision.decide()).rejects.toMatchObject({ code: 'ACCESS_UNDECIDED' });
    expect(outcomes()).toEqual([['execute', 'undecided', undefined]]);
  });

  it('is remembered with the condition of the rule that allows, until it is checked or forgotten', async () => {
    const { decision, remembered, did } = await forecasting('success');
    await decision.decide();
    await decision.rememberForecast();
    expect(remembered).toEqual([
      {
        v: FORECAST_VERSION,
        at: expect.any(Number),
        requestId: 'r-1',
        caller: 'default',
        reservationId: 64,
        digest: 'D',
        sender: `0x${'1'.repeat(64)}`,
        gasOwner: `0x${'5'.repeat(64)}`,
        gasBudget: '500',
        reservedBudget: 500,
        durationSecs: 60,
        assumed: [
          {
            rule: 'pays',
            line: 4,
            quantifier: 'every',
            condition: expect.stringContaining('"receives":">=5"'),
          },
        ],
        dryRun: false,
      },
    ]);
    await decision.checkForecast(effectsOf('success'));
    await decision.rememberForecast();
    await decision.forgetForecast();
    await decision.checkForecast(effectsOf('success'));
    expect(did).toEqual(['checks stored 1', 'forgets stored 1', 'forgets stored 2']);
  });

  it('is remembered for rules that would have denied by it, not for those that other conditions skip', async () => {
    const DENIALS = `    - name: drains
      balance-changes: [{ owner: sponsor, coin-type: '0x2::iota::IOTA', spends: '>0' }]
      action: deny
    - name: others
      command-kind: Publish
      balance-changes: [{ only: [sender] }]
      action: deny
    - name: unused
      balance-changes: [{ owner: sponsor, coin-type: '0x2::iota::IOTA', receives: '>=6' }]
      action: allow`;
    const { decision, remembered } = await forecasting('success', ['allow-all', DENIALS]);
    await decision.decide();
    await decision.rememberForecast();
    expect(remembered[0]!.assumed).toMatchObject([{ rule: 'drains', quantifier: 'any' }]);
  });

  it('refuses tokens whose forecasts were missed, where a rule needs one and is in force', async () => {
    const refused = await forecasting('success', ['deny-all', RULE], ['default']);
    await expect(refused.decision.decide()).rejects.toMatchObject({ code: 'PAUSED' });
    expect(refused.dryRuns()).toBe(0);
    const tried = await forecasting('success', ['deny-all', RULE, DRY_RUN], ['default']);
    expect(await tried.decision.decide()).toMatchObject({ rule: 'pays' });
    const other = await forecasting('success', ['deny-all', LIMIT], ['default']);
    expect(await other.decision.decide()).toMatchObject({ rule: 'few' });
  });

  it('is not remembered if the decision rests on no such condition', async () => {
    const { decision, remembered, did } = await forecasting('success', ['deny-all', LIMIT]);
    await decision.decide();
    await decision.rememberForecast();
    await decision.checkForecast(effectsOf('success'));
    expect([remembered, did]).toEqual([[], []]);
  });
});

describe('the decision about a transaction that is built', () => {
  it('is audited and recorded as that of an execution where it refuses', async () => {
    const { prepare, outcomes } = await aGateway('allow-all', DENY);
    const { decisions, preview } = prepare;
    const call = { caller: CONFIGURED_CALLER, requestId: 'r-2', refusal: {} };
    const refused = await preview({});
    expect(() => decisions.requireAllowed(call, refused)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect([outcomes(), call.refusal]).toEqual([
      [['build', 'deny', 'nobody']],
      { rule: 'nobody', facts: FACTS },
    ]);
  });

  it('leaves no trace where it allows, or where rules are only tried out', async () => {
    const policies = [() => aGateway('allow-all'), () => aGateway('allow-all', DENY, DRY_RUN)];
    for (const open of policies) {
      const { prepare, outcomes } = await open();
      const call = { caller: CONFIGURED_CALLER, requestId: 'r-2', refusal: {} };
      prepare.decisions.requireAllowed(call, await prepare.preview({}));
      expect([outcomes(), call.refusal]).toEqual([[], {}]);
    }
  });
});
