import { describe, expect, it } from '@jest/globals';
import { InvalidEntry } from './invalid-entry.js';
import { formSponsorship } from './form-sponsorship.js';
import {
  anEntry,
  aReserved,
  aTrail,
  aTransaction,
  codec,
  digest,
  full,
  reservationId,
  reservedMs,
  sender,
  sponsor,
} from './stored-sponsorship.test-support.js';

const form = (stored: Parameters<typeof formSponsorship>[2]) =>
  formSponsorship(codec, sponsor, stored);
const claimed = [
  10,
  'claimed',
  digest,
  'req-1',
  `00-${'7'.repeat(32)}-${'8'.repeat(16)}-01`,
] as const;

describe('a formed sponsorship', () => {
  it('has every field of an executed transaction', async () => {
    const transaction = await aTransaction((tx) => {
      tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [] });
      tx.makeMoveVec({ type: 'u8', elements: [] });
      tx.moveCall({ target: '0xABC::shop::buy' });
    });
    const stored = anEntry({
      state: 'executed',
      ended: String(reservedMs + 900),
      caller: `shop:${full('a')}`,
      digest,
      transaction,
      rule: 'only\\tours',
      executor: 'ex-1',
      result: JSON.stringify({
        outcome: 'failure',
        failure: 'MoveAbort 7',
        computation: '1000000',
        storage: '988000',
        rebate: '2000000',
      }),
      counted: '0',
      trail: aTrail([...claimed], [20, 'begun'], [30, 'submitted'], [400, 'submitted']),
    });
    expect(form(stored)).toEqual({
      reservation_id: reservationId,
      status: 'executed',
      outcome: 'failure',
      token: 'shop',
      user: full('a'),
      sponsor_address: sponsor,
      sender,
      digest,
      gas_budget: '5000000',
      reserved_balance: '30000000000',
      gas_coins: [
        { objectId: full('c1'), version: 7, digest },
        { objectId: full('c2'), version: 9, digest },
      ],
      gas: {
        computation: '1000000',
        storage: '988000',
        rebate: '2000000',
        net: '-12000',
        counted: '0',
      },
      commands: [
        `MoveCall ${full('2')}::clock::timestamp_ms`,
        'MakeMoveVec',
        `MoveCall ${full('abc')}::shop::buy`,
      ],
      rule: 'only\tours',
      refusals: [],
      failure: 'MoveAbort 7',
      attempts: 2,
      executor: 'ex-1',
      request_ids: ['req-1'],
      trace_id: '7'.repeat(32),
      timeline: [
        { at: reservedMs, event: 'reserved' },
        { at: reservedMs + 10, event: 'claimed' },
        { at: reservedMs + 20, event: 'begun' },
        { at: reservedMs + 30, event: 'submitted' },
        { at: reservedMs + 400, event: 'submitted' },
        { at: reservedMs + 900, event: 'executed' },
      ],
      created_at: reservedMs,
      ended_at: reservedMs + 900,
      rebuilt: null,
    });
  });

  it('has nulls and empty lists where nothing happened', () => {
    expect(form(aReserved({ caller: 'shop' }))).toMatchObject({
      status: 'reserved',
      outcome: null,
      user: null,
      sender: null,
      digest: null,
      gas: null,
      commands: [],
      rule: null,
      refusals: [],
      failure: null,
      attempts: 0,
      executor: null,
      request_ids: [],
      trace_id: null,
      timeline: [{ at: reservedMs, event: 'reserved' }],
      ended_at: null,
    });
  });

  it.each([
    ['reserved', 'reserved'],
    ['claimed', 'executing'],
    ['executing', 'executing'],
    ['quarantined', 'quarantined'],
  ] as const)('shows a %s reservation as %s, without an end', (state, status) => {
    expect(form(aReserved({ state }))).toMatchObject({ status, ended_at: null });
  });

  it('has the ledger’s reason while it is quarantined, and only then', () => {
    const claim: [number, ...string[]] = [10, 'claimed', digest, 'req-1', '', ''];
    const trail = aTrail(claim, [20, 'begun'], [30, 'quarantined', 'its object\\tis locked']);
    const failureOf = (entry: Parameters<typeof form>[0]) => form(entry).failure;
    expect(failureOf(aReserved({ state: 'quarantined', trail }))).toBe('its object\tis locked');
    expect(failureOf(anEntry({ state: 'expired', trail }))).toBeNull();
    const ofEarlierRelease = aTrail(claim, [20, 'begun'], [30, 'quarantined']);
    expect(failureOf(aReserved({ state: 'quarantined', trail: ofEarlierRelease }))).toBeNull();
  });

  it.each<[string, number[], number[]]>([
    ['that an executor could not note', [], [20, 90]],
    ['that an executor noted', [30], [30, 90]],
    ['that an executor noted in the same millisecond', [20], [20, 90]],
  ])('counts a submission %s before it died', (_name, noted, expected) => {
    const claimed = [10, 'claimed', digest, 'req-1', '', ''] as [number, ...string[]];
    const before = noted.map((after) => [after, 'submitted'] as [number, string]);
    const trail = aTrail(...before, [80, 'resumed'], claimed, [20, 'begun'], [90, 'submitted']);
    const { attempts, timeline } = form(anEntry({ state: 'executed', trail }));
    expect(attempts).toBe(2);
    expect(timeline.filter(({ event }) => event === 'submitted')).toEqual(
      expected.map((after) => ({ at: reservedMs + after, event: 'submitted' })),
    );
    expect(timeline.map(({ event }) => event)).not.toContain('resumed');
  });

  it.each([19, 20])(
    'begins before it is submitted, also where the submission seems to be %i ms old',
    (submitted) => {
      const claim: [number, ...string[]] = [10, 'claimed', digest, 'req-1', '', ''];
      const trail = aTrail([submitted, 'submitted'], [30, 'quarantined'], claim, [20, 'begun']);
      const { timeline } = form(aReserved({ state: 'quarantined', trail }));
      const events = ['reserved', 'claimed', 'begun', 'submitted', 'quarantined'];
      expect(timeline.map(({ event }) => event)).toEqual(events);
      expect(timeline[2]!.at).toBe(reservedMs + submitted);
    },
  );

  it.each(['expired', 'released'] as const)('ends its timeline as %s', (state) => {
    const { timeline, ended_at } = form(anEntry({ state }));
    expect(timeline.at(-1)).toEqual({ at: ended_at, event: state });
  });

  it('lists the first ten refusals by the ledger, in its words', () => {
    const refusals = Array.from({ length: 11 }, (_, n) => {
      return [20 + n, 'refused', digest, n === 0 ? '' : `no\\n${n}`] as [number, ...string[]];
    });
    const { refusals: formed, timeline } = form(anEntry({ trail: aTrail(...refusals) }));
    expect(formed).toHaveLength(10);
    expect(formed[0]!.message).toMatch(/was not executed before the epoch/);
    expect(formed[9]).toEqual({
      at: reservedMs + 29,
      status: 400,
      code: 'REFUSED_BY_LEDGER',
      message: 'no\n9',
      digest,
    });
    expect(timeline.map(({ event }) => event)).toEqual(['reserved', 'expired']);
  });

  it('has the gas of the sponsor’s transaction that moved the coins, and no outcome', () => {
    const result = { outcome: null, computation: '5', storage: '3', rebate: '1' };
    const stored = anEntry({ result: JSON.stringify(result), counted: '9' });
    expect(form(stored)).toMatchObject({
      status: 'expired',
      outcome: null,
      gas: { net: '7', counted: '9' },
    });
  });

  it('names each request once, and the trace of the last claim', () => {
    const last = [
      40,
      'claimed',
      digest,
      'req-2',
      `00-${'9'.repeat(32)}-${'8'.repeat(16)}-01`,
    ] as const;
    const without = [50, 'claimed', digest, '', ''] as const;
    const form2 = (...lines: [number, ...string[]][]) =>
      form(aReserved({ trail: aTrail(...lines) }));
    expect(form2([...claimed], [...last], [...claimed])).toMatchObject({
      request_ids: ['req-1', 'req-2'],
      trace_id: '9'.repeat(32),
    });
    expect(form2([...claimed], [...without])).toMatchObject({
      request_ids: ['req-1'],
      trace_id: null,
    });
  });

  it('names the rule of the last claim after its release', () => {
    const trail = aTrail(
      [10, 'claimed', digest, '', '', 'old'],
      [20, 'claimed', digest, '', '', 'a\\tb'],
    );
    expect(form(aReserved({ trail })).rule).toBe('a\tb');
    expect(form(aReserved({ trail, rule: 'ours' })).rule).toBe('ours');
  });

  it('orders its timeline by time and leaves out events of later releases', () => {
    const trail = aTrail(
      [30, 'submitted'],
      [20, 'begun'],
      [25, 'teleported', 'x'],
      [10, 'claimed'],
    );
    const { timeline } = form(aReserved({ state: 'executing', trail }));
    expect(timeline.map(({ event }) => event)).toEqual([
      'reserved',
      'claimed',
      'begun',
      'submitted',
    ]);
  });

  it('has no commands where this release cannot decode the transaction', () => {
    expect(form(anEntry({ digest, transaction: 'AAAA' }))).toMatchObject({
      digest,
      sender: null,
      commands: [],
    });
  });

  it.each([
    ['coins', '1:2:3'],
    ['result', '{'],
    ['result', 'null'],
    ['result', '{"outcome":"success","computation":"1","storage":"x","rebate":"1"}'],
    ['trail', 'soon\tclaimed'],
  ])('is refused where its %s cannot be read: %s', (field, stored) => {
    expect(() => form(anEntry({ [field]: stored }))).toThrow(InvalidEntry);
    expect(() => form(anEntry({ [field]: stored }))).toThrow(field);
  });
});
