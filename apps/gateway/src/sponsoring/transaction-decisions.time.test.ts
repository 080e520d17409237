import type { ForecourtError } from '@forecourt/contracts';
import type { LedgerStatus } from '@forecourt/ledger';
import type { AccessSubject } from '@forecourt/policy/access';
import { describe, expect, it } from '@jest/globals';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { preparing } = await import('./transaction-decisions.test-support.js');

/**
 * A gateway whose rules have two policies look at each transaction. `ms`: what the JSON takes, and each
 * policy afterwards.
 */
function deciding(action: 'allow' | 'deny', ms: { json: number; policy: number }) {
  let now = 0;
  const made: unknown[] = [];
  const evaluate = () => ((now += ms.policy), true);
  const condition = { name: 'opa', text: '', needs: 'transaction' } as const;
  const sync = {
    ...condition,
    holds: ({ transactionJson }: AccessSubject) => (transactionJson(), evaluate()),
  };
  const later = {
    ...condition,
    holds: async ({ transactionJson, measure }: AccessSubject) => {
      await transactionJson();
      return measure!(evaluate);
    },
  };
  const rule = {
    name: 'looks',
    line: 1,
    commandKinds: null,
    namesFunction: null,
    sponsors: null,
    limits: [],
    message: null,
  };
  const ruleSet = {
    policy: 'allow-all',
    rules: [{ ...rule, conditions: [later, sync], action }],
  } as const;
  const prepare = preparing({
    policy: {
      rulesOf: () => ({
        ruleSet,
        caps: [],
        budget: { token: 'shop', isShared: false, limits: [] },
        dryRun: false,
        releasesOnDenial: false,
      }),
    },
    ledger: {
      status: () => Promise.resolve({ referenceGasPrice: 1_000n } as LedgerStatus),
      transactionJson: (transaction) => {
        now += ms.json;
        return made.push(transaction);
      },
    },
    now: () => now,
  });
  const preview = (name: string) =>
    prepare.preview({ name, token: name }).then(
      ({ refusal }) => refusal?.code ?? 'allowed',
      (error: ForecourtError) => error.code,
    );
  const execute = (name: string) =>
    prepare({ name, token: name })
      .decision.decideWithoutLookUps()
      .then(
        () => 'allowed',
        (error: ForecourtError) => error.code,
      );
  return { made, execute, preview };
}

describe('a decision by policies', () => {
  it('makes the JSON of a transaction once, however many policies look at it', async () => {
    const { made, execute } = deciding('deny', { json: 0, policy: 0 });
    await execute('shop');
    expect(made).toHaveLength(1);
  });

  it.each([
    ['deny', 'FORBIDDEN', { json: 90, policy: 0 }],
    ['deny', 'FORBIDDEN', { json: 0, policy: 45 }],
    ['allow', 'allowed', { json: 30, policy: 30 }],
  ] as const)(
    'takes its time from the share of its caller: to %s, which ends as %s, with %j ms',
    async (action, decided, ms) => {
      const { execute } = deciding(action, ms);
      const codes: string[] = [];
      for (let n = 0; n < 40; n++) codes.push(await execute('greedy'));
      const made = codes.filter((code) => code === decided).length;
      expect(made).toBeGreaterThan(9);
      expect(made).toBeLessThan(20);
      expect(codes.slice(made)).toEqual(Array(40 - made).fill('OVERLOADED'));
      expect(await execute('shop')).toBe(decided);
    },
  );

  it.each(['allow', 'deny'] as const)(
    'takes the time of dry runs and builds from the same share: to %s',
    async (action) => {
      const { execute, preview } = deciding(action, { json: 0, policy: 60 });
      const codes: string[] = [];
      for (let n = 0; n < 20; n++) codes.push(await preview('greedy'));
      expect([codes.at(0), codes.at(-1)]).toEqual([
        action === 'allow' ? 'allowed' : 'FORBIDDEN',
        'OVERLOADED',
      ]);
      expect(await execute('greedy')).toBe('OVERLOADED');
      expect(await preview('shop')).toBe(codes[0]);
    },
  );

  it('costs nothing where each policy is as fast as a signature', async () => {
    const { execute } = deciding('allow', { json: 0, policy: 1 });
    for (let n = 0; n < 2_000; n++) expect(await execute('busy')).toBe('allowed');
  });
});
