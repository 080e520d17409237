import type { ForecourtError } from '@forecourt/contracts';
import type { AccessSubject } from '@forecourt/policy/access';
import { describe, expect, it } from '@jest/globals';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { preparing } = await import('./transaction-access.test-support.js');

const LARGEST = 131_072;
/** Beyond it, the JSON of large transactions is not made within ten seconds. */
const MOST = 2_097_152;

/** A gateway whose rules have two policies look at each transaction, and deny it. */
function denying() {
  const made: unknown[] = [];
  const holds = async ({ transactionJson }: AccessSubject) => (await transactionJson(), true);
  const condition = { name: 'opa', text: '', needs: 'transaction', holds } as const;
  const rule = {
    name: 'looks',
    line: 1,
    commandKinds: null,
    namesFunction: null,
    sponsors: null,
    limits: [],
    message: null,
  };
  const conditions = [condition, condition];
  const ruleSet = {
    policy: 'allow-all',
    rules: [{ ...rule, conditions, action: 'deny' }],
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
    ledger: { transactionJson: (transaction) => made.push(transaction) },
  });
  const execute = (name: string, length: number) =>
    prepare({ name }, length)
      .decision.decideWithoutLookUps()
      .then(
        () => 'allowed',
        (error: ForecourtError) => error.code,
      );
  return { made, execute };
}

describe('the JSON that policies look at', () => {
  it('is made once for each transaction, however many policies look at it', async () => {
    const { made, execute } = denying();
    await execute('shop', 500);
    expect(made).toHaveLength(1);
  });

  it('of large transactions is made for a caller within a bound only, even if all are denied', async () => {
    const { made, execute } = denying();
    const codes: string[] = [];
    for (let n = 0; n < 40; n++) codes.push(await execute('greedy', LARGEST));
    expect(made).toHaveLength(MOST / LARGEST);
    expect(codes.slice(made.length)).toEqual(Array(40 - made.length).fill('OVERLOADED'));
    expect(await execute('shop', LARGEST)).toBe('FORBIDDEN');
  });

  it('of small transactions is made for each', async () => {
    const { made, execute } = denying();
    for (let n = 0; n < 1_000; n++) await execute('busy', 4_096);
    expect(made).toHaveLength(1_000);
  });
});
