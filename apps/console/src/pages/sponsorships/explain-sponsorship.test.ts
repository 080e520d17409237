import { describe, expect, it } from '@jest/globals';
import { explainSponsorship, labelOf, titleOf } from './explain-sponsorship.js';

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
    [of({ outcome: 'success' }), 'Executed', 'The ledger executed the transaction'],
    [of({ outcome: 'failure', failure: ABORT }), 'Failed', 'The transaction failed in Move'],
    [of({ status: 'expired' }), 'Expired', 'The reservation was never used'],
    [of({ status: 'expired', refusals: [refusal] }), 'Refused', 'The transaction was refused'],
    [of({ status: 'released' }), 'Released', 'The application gave the reservation back'],
    [of({ status: 'reserved' }), 'Reserved', 'No transaction has used the reservation yet'],
    [of({ status: 'executing' }), 'In flight', 'The transaction is on its way'],
    [
      of({ status: 'quarantined' }),
      'Quarantined',
      'The transaction was not executed, but may still be',
    ],
  ] as const)('%#: is %s', (sponsorship, label, title) => {
    expect(labelOf(sponsorship)[0]).toBe(label);
    expect(explainSponsorship(sponsorship).title).toBe(title);
  });

  it.each([
    [ABORT, 'garage::abort_with aborted with code 7.'],
    [`Error in 1st command, from '0xdec0::garage::f' (instruction 1), abort code: 42`, 'code 42.'],
    [
      `Error in 2nd command, from '0xdec0::garage' (instruction 1), abort code: 4`,
      'garage aborted',
    ],
    [`Error in 2nd command, from '0xdec0::garage::f' (line 9), abort 'EFull': "Full"`, `'EFull'.`],
    [
      'Move Runtime Abort. Location: dec0::garage::f (function index 2) at offset 1, Abort Code: 3 in command 0',
      'garage::f aborted with code 3.',
    ],
    [
      'Move Runtime Abort. Location: dec0::garage in function definition 2 at offset 1, Abort Code: 3',
      'garage aborted with code 3.',
    ],
  ])('names the function that aborted, and its code: %s', (failure, expected) => {
    const { cause, remedy } = explainSponsorship(of({ outcome: 'failure', failure }));
    expect(cause).toContain(expected);
    expect(remedy).toContain('module garage');
  });

  it.each([
    [['MoveCall 0x2::shop::buy'], 'Executed: shop::buy'],
    [['SplitCoins', 'MoveCall 0x2::shop::buy', 'TransferObjects'], 'Executed: shop::buy +2'],
    [['SplitCoins', 'TransferObjects'], 'Executed: SplitCoins +1'],
    [[], 'Executed: reservation 7'],
  ])('has a title by its outcome and function: %j', (commands, title) => {
    expect(titleOf({ ...of({ outcome: 'success' }), commands, reservation_id: 7 })).toBe(title);
  });

  it.each([
    ['address 0x1 is denied for coin 0x2', 'Ask the issuer'],
    ['serialized transaction size limit exceeded', 'Split'],
    ['Transaction Expired', 'later epoch'],
    ['used as shared is not shared', 'owned or shared'],
    ['Mutable object 0x1 cannot appear more than one in one transaction', 'once'],
    ['Balance of gas object 5 is lower than the needed amount', 'reserved budget'],
    ['Gas price 1 under reference gas price', 'reference gas price'],
    ['invalid object digest', 'again'],
    ['Dependent package not found on-chain', 'ids'],
    ['Package verification failed: timeout', 'package'],
  ])('has advice for the ledger’s refusal %s', (message, advice) => {
    const refused = of({ status: 'expired', refusals: [{ ...refusal, message }] });
    expect(explainSponsorship(refused).remedy).toContain(advice);
  });

  it('gives the advice that fits the ledger’s reason', () => {
    const equivocated = 'one or more of its objects is equivocated until the next epoch';
    const quarantined = of({ status: 'quarantined' });
    expect(explainSponsorship({ ...quarantined, failure: equivocated })).toMatchObject({
      cause: expect.stringContaining('none of them can execute in this epoch'),
      remedy: expect.stringContaining('in the next epoch'),
    });
    expect(explainSponsorship(quarantined).cause).toContain('neither executed nor excluded');
    const refused = (message: string) =>
      explainSponsorship(of({ status: 'expired', refusals: [{ ...refusal, message }] })).remedy;
    expect(refused(equivocated)).toContain('in the next epoch');
    expect(refused('Object 0x1 is not available for consumption')).toBe(
      'Build the transaction again.',
    );
    expect(refused('a text of another release')).toContain('correct what it names');
  });

  it('finds an exhausted budget, and admits what it cannot read', () => {
    for (const failure of ['InsufficientGas', 'Error in 1st command, Insufficient Gas.']) {
      const budget = explainSponsorship(of({ outcome: 'failure', failure }));
      expect(budget.cause).toContain('gas budget was used up');
    }
    const congestion = of({
      outcome: 'failure',
      failure: 'ExecutionCancelledDueToSharedObjectCongestion',
    });
    expect(explainSponsorship(congestion).remedy).toContain('Repeat it');
    const other = explainSponsorship(of({ outcome: 'failure', failure: '<img src=x>' }));
    expect(other.cause).toContain('The ledger’s text is below');
  });
});
