import { describe, expect, it } from '@jest/globals';
import { findViolations, type Invariant, type Observation } from './find-violations.js';
import type { OrderBook, PlacedOrder } from './ordering-client.js';
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
    answeredAt: 5_000,
    coins: [`coin-of-${digest}@1`],
    reservationId: 1,
    txBytes: '',
    userSig: '',
  };
}

const done = aCall('A', [executed, executed]);
const none = aCall('B', [refused]);

const ordered: PlacedOrder = { to: '0x1', amount: 5n, end: 'shown as sent' };
const book = (orders: PlacedOrder[], times: number): OrderBook => {
  return { orders, arrived: () => times, afterLosses: 0 };
};

/** A round without violations. */
function aRound(changes: Partial<Observation> = {}): Observation {
  return {
    audit: { exact: true, text: '' },
    calls: [done, none],
    retries: new Map([[done, { kind: 'executed', effects: { ...effects } }]]),
    landed: new Map([['A', { digest: 'A', times: 1, effects }]]),
    orders: { orders: [ordered], arrived: () => 1, afterLosses: 0 },
    history: [],
    submissions: { A: 2, B: 1 },
    gas: { ledger: 5n, pool: 5n },
    recoveryMs: 1,
    held: '',
    losses: [],
    surprises: [],
    ...changes,
  };
}

describe('a round', () => {
  it('without faults has no violation', () => {
    expect(findViolations(aRound())).toEqual([]);
  });

  it.each([
    [5, 0],
    [6, 1],
  ])('allows other words for an abort with code 5, but no other code: %i', (code, count) => {
    const place = 'ModuleId { address: 0f, name: Identifier("m") }, function: 1, instruction: 0';
    const ofNode = `MoveAbort(MoveLocation { module: ${place}, function_name: Some("f") }, 5) in command 0`;
    const told = `Error in 1st command, from '0xf::m::f' (instruction 0), abort code: ${code}`;
    const failure = (error: string) => ({ status: { status: 'failure', error } });
    const answer: Answer = { kind: 'executed', effects: failure(told) };
    const failing = aCall('A', [answer]);
    const landed = new Map([['A', { digest: 'A', times: 1, effects: failure(ofNode) }]]);
    const round = aRound({ calls: [failing], retries: new Map(), landed });
    expect(findViolations(round)).toHaveLength(count);
  });

  it('allows a coin for another transaction once Redis has lost the claim of the first', () => {
    const answers = (error: string): Answer[] => [{ kind: 'refused', status: 400, error }];
    const other = (error: string) => ({ ...aCall('B', answers(error)), coins: done.coins });
    const round = (error: string, losses: Observation['losses']) =>
      aRound({ calls: [done, other(error)], losses });
    const lost = 'Reservation 1 not found';
    expect(findViolations(round(lost, [{ from: 4_000, to: 6_000 }]))).toEqual([]);
    const used = [{ invariant: 'coin used once' }];
    expect(findViolations(round(lost, [{ from: 6_000, to: 9_000 }]))).toMatchObject(used);
    expect(findViolations(round(lost, []))).toMatchObject(used);
    expect(findViolations(round('no', [{ from: 4_000, to: 6_000 }]))).toMatchObject(used);
  });

  it('allows that an order without a known end was sent or not', () => {
    const unknown = { ...ordered, end: null };
    for (const times of [1, 2]) {
      const orders = book([ordered, unknown], times);
      expect(findViolations(aRound({ orders }))).toEqual([]);
    }
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
    ['an amount sent twice', 'sent once', { orders: book([ordered], 2) }],
    ['an amount of two alike sent thrice', 'sent once', { orders: book([ordered, ordered], 3) }],
    ['an order that ended and was not sent', 'ordered means sent', { orders: book([ordered], 0) }],
    ['an audit that differs', 'audit is exact', { audit: { exact: false, text: 'a coin' } }],
    ['a digest executed twice', 'executed once', { landed: landed('A', 2) }],
    ['reported effects of a transaction that never landed', 'one outcome', { landed: new Map() }],
    ['other effects than the ledger’s', 'one outcome', { landed: landed('A', 1, failed) }],
    [
      'a reported refusal of an executed transaction',
      'one outcome',
      { landed: new Map([...landed('A'), ...landed('B')]) },
    ],
    [
      'a retry with a different answer',
      'retry gets the outcome',
      { retries: new Map([[done, refused]]) },
    ],
    ['a retry without an answer', 'retry gets the outcome', { retries: new Map([[done, null]]) }],
    ['gas that does not add up', 'gas adds up', { gas: { ledger: 5n, pool: 4n } }],
    ['a record that history lacks', 'recorded once', { history: ['A is not recorded'] }],
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
  ])('has a violation with %s', (_what, invariant, changes) => {
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

  it('has a violation if a refused transaction and its replacement both landed', () => {
    const [violation, ...others] = actionTwice([replaced, replacement], ['D', 'E']);
    expect(others).toEqual([]);
    expect(violation?.detail).toBe(
      'drive: D (plain) got "400 no" and landed, then E (plain) got "executed" and landed',
    );
  });

  it('has a violation if a transaction landed after the client had replaced it', () => {
    const refusedToo = { ...replacement, answers: [refused] };
    expect(actionTwice([replaced, refusedToo], ['D'])).toHaveLength(1);
    expect(actionTwice([unanswered, replacement], ['D', 'E'])).toHaveLength(1);
  });

  it('has no violation if only the last transaction of an action landed', () => {
    expect(actionTwice([replaced, replacement], ['E'])).toEqual([]);
    expect(actionTwice([replaced, replacement], [])).toEqual([]);
    expect(actionTwice([done, none, replacement], ['A', 'E'])).toEqual([]);
  });

  it.each(['Reservation 1 not found', 'Reservation 1 has expired'])(
    'has no violation if a later reservation led to the same transaction after “%s”',
    (error) => {
      const unused = {
        ...aCall('E', [{ kind: 'refused', status: 400, error }]),
        action: 'drive',
        answeredAt: Date.UTC(2026, 0, 1),
      };
      expect(findViolations(aRound({ calls: [done, unused] }))).toEqual([]);
      const round = aRound({
        calls: [done, unused, replacement],
        landed: new Map(['A', 'E'].map((digest) => [digest, { digest, times: 1, effects }])),
      });
      expect(findViolations(round)).toEqual([]);
      expect(findViolations({ ...round, calls: [done, unused] })).toMatchObject([
        { invariant: 'one outcome' },
      ]);
      const early = { ...round, calls: [done, { ...unused, answeredAt: 5_000 }, replacement] };
      const isLost = error.includes('not found');
      expect(findViolations(early)).toHaveLength(isLost ? 2 : 0);
      expect(findViolations({ ...early, losses: [{ from: 0, to: 5_000 }] })).toEqual([]);
    },
  );

  it('has no violation if a coin is used again after a final refusal', () => {
    const again = { ...aCall('C', [refused], 'underpriced'), coins: done.coins };
    expect(findViolations(aRound({ calls: [again, done], submissions: { A: 1, C: 1 } }))).toEqual(
      [],
    );
  });
});
