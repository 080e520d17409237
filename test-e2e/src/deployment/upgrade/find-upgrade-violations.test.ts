import { describe, expect, it } from '@jest/globals';
import {
  findUpgradeViolations,
  type Requirement,
  type UpgradeObservation,
} from './find-upgrade-violations.js';
import type { Step } from './upgrade-steps.js';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

const step: Step = {
  phase: 'upgrade',
  replica: 'gateway',
  exitCode: 0,
  stopMs: 1,
  readyMs: 1,
  transactions: 3,
  repeated: 3,
  pages: 3,
  requests: 1,
  refused: 0,
  version: `1.0.0-${NEW.slice(0, 12)}`,
};
const good: UpgradeObservation = {
  steps: [
    step,
    { ...step, phase: 'rollback', version: `1.0.0-${OLD.slice(0, 12)}` },
    { ...step, phase: 'upgrade again' },
    { ...step, replica: 'executor', version: null },
  ],
  versions: { old: OLD, new: NEW },
  failures: [],
  answered: ['D1', 'D2'],
  landed: new Map(
    ['D1', 'D2', 'split'].map((digest) => [digest, { digest, times: 1, effects: {} }]),
  ),
  gas: { ledger: 7n, pool: 7n },
  bound: '',
  history: [],
  audit: { exact: true, text: '' },
};

const broken: readonly (readonly [string, Requirement, Partial<UpgradeObservation>])[] = [
  ['a request that failed', 'answered', { failures: ['reserve: 500 {}'] }],
  ['a replica that was killed', 'replaced', { steps: [{ ...step, exitCode: null }] }],
  ['a gateway of the previous version', 'replaced', { steps: [{ ...step, phase: 'rollback' }] }],
  [
    'a gateway without a commit',
    'replaced',
    { steps: [{ ...step, version: '1.0.0-000000000000' }] },
  ],
  ['a standstill', 'served', { steps: [{ ...step, transactions: 0 }] }],
  ['a transaction that the ledger does not know', 'executedOnce', { answered: ['D1', 'D3'] }],
  ['one transaction for two reservations', 'executedOnce', { answered: ['D1', 'D1'] }],
  [
    'a transaction that was executed twice',
    'executedOnce',
    { answered: ['D1'], landed: new Map([['D1', { digest: 'D1', times: 2, effects: {} }]]) },
  ],
  ['gas that the pool has not counted', 'gas', { gas: { ledger: 8n, pool: 7n } }],
  ['a coin that stays bound', 'free', { bound: 'executing 1' }],
  ['a transaction that history lacks', 'recorded', { history: ['D1 is not recorded'] }],
  ['an audit that is not exact', 'audit', { audit: { exact: false, text: 'a coin is missing' } }],
];

describe('the violations of an upgrade', () => {
  it('are none if every requirement was met', () => {
    expect(findUpgradeViolations(good)).toEqual([]);
  });

  it.each(broken)('include %s', (_what, requirement, change) => {
    const found = findUpgradeViolations({ ...good, ...change });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ requirement, detail: expect.stringMatching(/./) });
  });
});
