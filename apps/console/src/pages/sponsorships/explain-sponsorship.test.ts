import { describe, expect, it } from '@jest/globals';
import { explainSponsorship, labelOf } from './explain-sponsorship.js';

type Explained = Parameters<typeof explainSponsorship>[0];

const of = (over: Partial<Explained>): Explained => ({
  status: 'executed',
  outcome: null,
  failure: null,
  refusals: [],
  ...over,
});
const refusal = { at: 0, status: 400, code: 'REFUSED_BY_LEDGER', message: '', digest: null };
const ABORT =
  'MoveAbort(MoveLocation { module: ModuleId { address: dec0, name: Identifier("garage") }, function: 3, instruction: 2, function_name: Some("abort_with") }, 7) in command 0';

describe('a sponsorship in plain words', () => {
  it.each([
    [of({ outcome: 'success' }), 'Succeeded', 'The ledger executed the transaction'],
    [of({ outcome: 'failure', failure: ABORT }), 'Failed', 'The transaction failed in Move'],
    [of({ status: 'expired' }), 'Expired', 'The reservation was never used'],
    [of({ status: 'expired', refusals: [refusal] }), 'Refused', 'The transaction was refused'],
    [of({ status: 'released' }), 'Released', 'The application gave the reservation back'],
    [of({ status: 'reserved' }), 'Reserved', 'No transaction has used the reservation yet'],
    [of({ status: 'executing' }), 'Executing', 'The transaction is on its way'],
    [
      of({ status: 'quarantined' }),
      'Quarantined',
      'The transaction was not executed, but may still be',
    ],
  ] as const)('%#: is %s', (sponsorship, label, title) => {
    expect(labelOf(sponsorship)[0]).toBe(label);
    expect(explainSponsorship(sponsorship).title).toBe(title);
  });

  it('names the function that aborted, and its code', () => {
    const { cause, remedy } = explainSponsorship(of({ outcome: 'failure', failure: ABORT }));
    expect(cause).toContain('garage::abort_with aborted with code 7');
    expect(remedy).toContain('module garage');
  });

  it('finds an exhausted budget, and admits what it cannot read', () => {
    const budget = explainSponsorship(of({ outcome: 'failure', failure: 'InsufficientGas' }));
    expect(budget.cause).toContain('gas budget was used up');
    const other = explainSponsorship(of({ outcome: 'failure', failure: '<img src=x>' }));
    expect(other.cause).toContain('The ledger’s text is below');
  });
});
