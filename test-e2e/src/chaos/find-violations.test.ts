import { describe, expect, it } from '@jest/globals';
import { findViolations, type Invariant, type Observation } from './find-violations.js';
import type { Answer, Behaviour, SponsoredCall } from './sponsored-call.js';

const effects = { status: { status: 'success' } };
const executed: Answer = { kind: 'executed', effects };
const refused: Answer = { kind: 'refused', status: 400, error: 'no' };

function aCall(digest: string, answers: Answer[], behaviour: Behaviour = 'plain'): SponsoredCall {
  return {
    client: 0,
    action: digest,
    behaviour,
    digest,
    answers,
    waitedMs: 1,
    coins: [`coin-of-${digest}@1`],
    reservationId: 1,
    txBytes: '',
    userSig: '',
  };
}

const done = aCall('A', [executed, executed]);
const none = aCall('B', [refused]);

/** A round in which everything went well. */
function aRound(changes: Partial<Observation> = {}): Observation {
  return {
    audit: { exact: true, text: '' },
    calls: [done, none],
    retries: new Map([[done, { kind: 'executed', effects: { ...effects } }]]),
    landed: new Map([['A', { digest: 'A', times: 1, effects }]]),
    submissions: { A: 2, B: 1 },
    gas: { ledger: 5n, pool: 5n },
    recoveryMs: 1,
    held: '',
    surprises: [],
    ...changes,
  };
}

describe('a round', () => {
  it('in which all went well has no violation', () => {
    expect(findViolations(aRound())).toEqual([]);
  });

  it('allows the same transaction again after a reservation that expired unused', () => {
    const error = 'Reservation 1 has expired';
    const expired = { ...aCall('A', [{ kind: 'refused', status: 400, error }]), coins: done.coins };
    const calls = [expired, { ...done, reservationId: 2 }, none];
    expect(findViolations(aRound({ calls }))).toEqual([]);
    const only = aRound({ calls: [expired, none], retries: new Map() });
    expect(findViolations(only)).toMatchObject([{ invariant: 'one outcome' }]);
  });

  const landed = (digest: string, times = 1, others = effects) =>
    new Map([[digest, { digest, times, effects: others }]]);
  const failed = { status: { status: 'failure' } };
  const twin = { ...aCall('C', [executed]), coins: done.coins };

  it.each<[string, Invariant, Partial<Observation>]>([
    ['an audit that differs', 'audit is exact', { audit: { exact: false, text: 'a coin' } }],
    ['a digest executed twice', 'executed once', { landed: landed('A', 2) }],
    ['effects told that never were', 'one outcome', { landed: new Map() }],
    ['other effects told', 'one outcome', { landed: landed('A', 1, failed) }],
    [
      'a refusal told of what was executed',
      'one outcome',
      { landed: new Map([...landed('A'), ...landed('B')]) },
    ],
    [
      'a retry that is told something else',
      'retry gets the outcome',
      { retries: new Map([[done, refused]]) },
    ],
    [
      'a retry that is told nothing',
      'retry gets the outcome',
      { retries: new Map([[done, null]]) },
    ],
    ['gas that does not add up', 'gas adds up', { gas: { ledger: 5n, pool: 4n } }],
    ['coins held too long', 'pool is full again', { recoveryMs: null, held: 'executing 1' }],
    ['a service that ended', 'nothing breaks by itself', { surprises: ['it ended'] }],
    [
      'a coin version submitted for two transactions',
      'coin used once',
      {
        calls: [done, twin],
        landed: new Map([...landed('A'), ...landed('C')]),
        submissions: { A: 1, C: 1 },
      },
    ],
  ])('with %s is caught', (_what, invariant, changes) => {
    const violations = findViolations(aRound(changes));
    expect(new Set(violations.map((violation) => violation.invariant))).toEqual(
      new Set([invariant]),
    );
  });

  const replaced = { ...aCall('D', [refused]), action: 'drive' };
  const unanswered = { ...aCall('D', []), action: 'drive' };
  const replacement = { ...aCall('E', [executed]), action: 'drive' };
  const actionTwice = (calls: SponsoredCall[], digests: string[]) =>
    findViolations(
      aRound({
        calls,
        retries: new Map(),
        landed: new Map(digests.map((digest) => [digest, { digest, times: 1, effects }])),
      }),
    ).filter(({ invariant }) => invariant === 'no action twice');

  it('in which a refused transaction and the new one in its place both landed is caught', () => {
    const [violation, ...others] = actionTwice([replaced, replacement], ['D', 'E']);
    expect(others).toEqual([]);
    expect(violation?.detail).toBe(
      'drive: D (plain) was told "400 no" and landed, then E (plain) was told "executed" and landed',
    );
  });

  it('in which a transaction landed after the client had replaced it is caught', () => {
    const refusedToo = { ...replacement, answers: [refused] };
    expect(actionTwice([replaced, refusedToo], ['D'])).toHaveLength(1);
    expect(actionTwice([unanswered, replacement], ['D', 'E'])).toHaveLength(1);
  });

  it('in which only the last transaction of an action landed is fine', () => {
    expect(actionTwice([replaced, replacement], ['E'])).toEqual([]);
    expect(actionTwice([replaced, replacement], [])).toEqual([]);
    expect(actionTwice([done, none, replacement], ['A', 'E'])).toEqual([]);
  });

  it('in which a coin is used again after a certain refusal is fine', () => {
    const again = { ...aCall('C', [refused], 'underpriced'), coins: done.coins };
    expect(findViolations(aRound({ calls: [again, done], submissions: { A: 1, C: 1 } }))).toEqual(
      [],
    );
  });
});
