import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalAddress,
  canonicalDigest,
  canonicalStructTag,
  compareEventIds,
  digestInBase58,
  digestInBase64,
  type EventCriterion,
  nextEventId,
  readCursor,
  readEventCriterion,
  readEventFilter,
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writeCursor,
  writeEventCriterion,
  writeEventPage,
} from '../index.js';

const full = (short: string) => `0x${short.padStart(64, '0')}`;
const LIMITS = { maxDepth: 3, maxFilters: 4 };

describe('canonical forms', () => {
  it.each([
    ['0x2', full('2')],
    ['0xAB', full('ab')],
    [`0X${'0'.repeat(63)}1`, full('1')],
    ['2', null],
    ['0x', null],
    [`0x${'1'.repeat(65)}`, null],
    ['0xg', null],
    [2, null],
  ])('map the address %p to %p', (address, expected) => {
    expect(canonicalAddress(address)).toBe(expected);
  });

  it('are the same for a digest in base58 and in base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        const base58 = digestInBase58(base64);
        expect(digestInBase64(base58)).toBe(base64);
        expect([canonicalDigest(base64), canonicalDigest(base58)]).toEqual([base64, base64]);
      }),
    );
    for (const wrong of ['', 'x', '0OIl', Buffer.alloc(31).toString('base64'), 7, null]) {
      expect(canonicalDigest(wrong)).toBeNull();
    }
  });

  it.each([
    ['0x2::coin::Coin<0x2::iota::IOTA>', `${full('2')}::coin::Coin<${full('2')}::iota::IOTA>`],
    ['0xA::m::S', `${full('a')}::m::S`],
    [
      '0xa::m::S< u64 , vector< 0xB::n::T > >',
      `${full('a')}::m::S<u64,vector<${full('b')}::n::T>>`,
    ],
    ['u64', null],
    ['vector<0x2::m::S>', null],
    ['0x2::m', null],
    ['0x2::m::S<', null],
    ['0x2::m::S<>', null],
    ['0x2::m::S>', null],
    ['0x2::m::S<u64> x', null],
    ['0x2::m::1S', null],
    ['x::m::S', null],
    [`0x2::m::S${'<0x2::m::S'.repeat(40)}${'>'.repeat(40)}`, null],
  ])('map the struct tag %s to %s', (tag, expected) => {
    expect(canonicalStructTag(tag)).toBe(expected);
  });
});

describe('cursors', () => {
  it('are integers that order like the events that they name, and map back to them', () => {
    const id = fc.record({ txSeq: fc.nat(2 ** 31), eventSeq: fc.nat(2 ** 14 - 2) });
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(readCursor(writeCursor(a), 'cursor')).toEqual(a);
        expect(Math.sign(writeCursor(a) - writeCursor(b))).toBe(Math.sign(compareEventIds(a, b)));
        expect(writeCursor(nextEventId(a))).toBe(writeCursor(a) + 1);
      }),
    );
  });

  it.each([-1, 1.5, '7', 2 ** 53, {}, true])('exclude %p', (value) => {
    expect(() => readCursor(value, 'position 2 (cursor)')).toThrow(/position 2 \(cursor\) must be/);
  });
});

describe('the cursor of a page', () => {
  const id = { txSeq: 7, eventSeq: 20_000 };
  const last = {
    timestamp: 1,
    txDigest: Buffer.alloc(32, 1).toString('base64'),
    id,
    event: { checkpoint: 1 },
  };
  const anchor = { id, digest: last.txDigest.slice(0, 12) };

  it.each([
    ['after', nextEventId(id)],
    ['before', { txSeq: 7, eventSeq: 19_999 }],
  ])('names the position %s its last event, and that event', (_side, next) => {
    const { nextCursor } = writeEventPage({ data: [last], nextCursor: next });
    expect(readGetEvents(['All', nextCursor])).toMatchObject({ cursor: next, anchor });
    const { from } = readSubscribeEvent([{ Module: 'm' }, nextCursor], LIMITS);
    expect(from).toEqual({ id: next, anchor });
  });

  it.each([
    '',
    '7',
    '7.1',
    '7.1+',
    '7.1*AQEBAQEBAQEB',
    '0.0-AQEBAQEBAQEB',
    `${2 ** 39}.0+AQEBAQEBAQEB`,
  ])('is not %p', (cursor) => {
    expect(() => readGetEvents(['All', cursor])).toThrow(/position 2 \(cursor\)/);
  });
});

describe('criteria', () => {
  const digest = Buffer.alloc(32, 1).toString('base64');
  it.each<[unknown, EventCriterion]>([
    ['All', { key: 'All' }],
    [{ All: [] }, { key: 'All' }],
    [{ All: 'All' }, { key: 'All' }],
    [{ Transaction: digestInBase58(digest) }, { key: 'Transaction', value: digest }],
    [
      { MoveModule: { package: '0x2', module: 'coin' } },
      { key: 'MoveModule', value: { package: full('2'), module: 'coin' } },
    ],
    [{ MoveEvent: '0x2::m::S' }, { key: 'MoveEvent', value: `${full('2')}::m::S` }],
    [{ EventType: 'NewObject' }, { key: 'EventType', value: 'NewObject' }],
    [{ Sender: '0xA' }, { key: 'Sender', value: full('a') }],
    [
      { Recipient: { AddressOwner: '0xa' } },
      { key: 'Recipient', value: { AddressOwner: full('a') } },
    ],
    [
      { Recipient: { ObjectOwner: '0xa' } },
      { key: 'Recipient', value: { ObjectOwner: full('a') } },
    ],
    [{ Recipient: 'Immutable' }, { key: 'Recipient', value: 'Immutable' }],
    [
      { Recipient: { Shared: { initial_shared_version: 3 } } },
      { key: 'Recipient', value: { Shared: { initial_shared_version: 3 } } },
    ],
    [{ Object: '0xa' }, { key: 'Object', value: full('a') }],
    [
      { TimeRange: { startTime: 1, endTime: 1 } },
      { key: 'TimeRange', value: { startTime: 1, endTime: 1 } },
    ],
  ])('are read from %j, bare and nested once more, and written again', (written, read) => {
    expect(readEventCriterion(written, 'query')).toEqual(read);
    expect(readEventCriterion(writeEventCriterion(read), 'query')).toEqual(read);
    if (typeof written !== 'object') return;
    const [key] = Object.keys(written as object);
    expect(readEventCriterion({ [key!]: written }, 'query')).toEqual(read);
  });

  it.each<[unknown, RegExp]>([
    [null, /query must be an object/],
    ['all', /query must be an object/],
    [[], /query must be an object/],
    [{}, /exactly one key; got 0/],
    [{ Sender: '0x1', Object: '0x1' }, /exactly one key; got 2/],
    [{ sender: '0x1' }, /one of the keys/],
    [{ __proto__: null, constructor: 1 }, /one of the keys/],
    [{ All: [1] }, /query\.All/],
    [{ Sender: { Sender: { Sender: '0x1' } } }, /query\.Sender\.Sender/],
    [{ MoveModule: { package: '0x2' } }, /MoveModule\.module/],
    [{ MoveModule: { package: '0x2', module: 'm', more: 1 } }, /nothing else/],
    [{ TimeRange: { startTime: 2, endTime: 1 } }, /must not be after/],
    [{ TimeRange: { startTime: '1', endTime: 2 } }, /startTime must be/],
    [{ Recipient: '0x1' }, /query\.Recipient/],
    [{ Recipient: { Shared: 1 } }, /Recipient\.Shared/],
  ])('exclude %j', (written, message) => {
    expect(() => readEventCriterion(written, 'query')).toThrow(message);
  });
});

describe('filters', () => {
  it('unescape the JSON pointer of a filter by field', () => {
    const written = { MoveEventField: { path: '/a~1b/~0/0', value: { x: 1 } } };
    expect(readEventFilter(written, 'filter', LIMITS)).toEqual({
      key: 'MoveEventField',
      path: ['a/b', '~', '0'],
      value: { x: 1 },
    });
  });

  it('are refused beyond the limits of depth and size', () => {
    const leaf = { Module: 'm' };
    const read = (filter: unknown) => readEventFilter(filter, 'filter', LIMITS);
    expect(() => read({ All: [{ Any: [leaf] }] })).not.toThrow();
    expect(() => read({ All: [{ All: [{ All: [leaf] }] }] })).toThrow(/deeper than 3 levels/);
    expect(() => read({ Any: [leaf, leaf, leaf] })).not.toThrow();
    expect(() => read({ Any: [leaf, leaf, leaf, leaf] })).toThrow(/more than 4 filters/);
    let value: unknown = 1;
    for (let depth = 0; depth < 5_000; depth++) value = [value];
    expect(() => read({ MoveEventField: { path: '/a', value } })).toThrow(/nests deeper/);
  });

  it.each<[unknown, RegExp]>([
    [{ Colour: 1 }, /one of the keys/],
    [{ And: [{ Module: 'm' }] }, /exactly two filters; got 1/],
    [{ Or: [1, 2, 3] }, /exactly two filters; got 3/],
    [{ All: [] }, /one or more filters; got 0/],
    [{ Any: { Module: 'm' } }, /filter\.Any must be an array/],
    [{ Any: [{ Module: 'm' }, { Module: '' }] }, /filter\.Any\[1\]\.Module/],
    [{ MoveEventField: { path: '', value: 1 } }, /begins with \//],
    [{ MoveEventField: { path: '/~2', value: 1 } }, /JSON pointer/],
    [{ MoveEventField: { path: '/a' } }, /value must be a JSON value/],
    [{ MoveEventField: { path: '/a', value: 2 ** 53 } }, /write it as a string/],
    [{ MoveEventField: { path: '/a', value: { b: [2 ** 53] } } }, /write it as a string/],
    [{ EventType: 'newObject' }, /one of MoveEvent/],
  ])('exclude %j', (written, message) => {
    expect(() => readEventFilter(written, 'filter', LIMITS)).toThrow(message);
  });
});

describe('params', () => {
  it('have defaults in a query', () => {
    const usual = {
      criterion: { key: 'All' },
      cursor: null,
      anchor: null,
      limit: 100,
      descending: false,
    };
    expect(readGetEvents(['All'])).toEqual(usual);
    expect(readGetEvents(['All', null, null, null])).toEqual(usual);
    for (const [ordering, descending] of [
      [true, true],
      ['Descending', true],
      [false, false],
      ['Ascending', false],
    ] as const) {
      expect(readGetEvents(['All', null, 1, ordering])).toMatchObject({ limit: 1, descending });
    }
  });

  it('accept a cursor or the id of the last received event in a subscription', () => {
    const filter = { Module: 'm' };
    expect(readSubscribeEvent([filter], LIMITS).from).toBeNull();
    expect(readSubscribeEvent([filter, null], LIMITS).from).toBeNull();
    const cursor = writeCursor({ txSeq: 7, eventSeq: 2 });
    expect(readSubscribeEvent([filter, cursor], LIMITS).from).toEqual({
      id: { txSeq: 7, eventSeq: 2 },
      anchor: null,
    });
    const seen = { txSeq: 7, eventSeq: 2 };
    const after = { txSeq: 7, eventSeq: 3 };
    expect(readSubscribeEvent([filter, seen], LIMITS).from).toEqual({ id: after, anchor: null });
    const txDigest = Buffer.alloc(32, 1).toString('base64');
    expect(readSubscribeEvent([filter, { ...seen, txDigest }], LIMITS).from).toEqual({
      id: after,
      anchor: { id: seen, digest: txDigest },
    });
    expect(() => readSubscribeEvent([filter, { txSeq: 7 }], LIMITS)).toThrow(/resume\)\.eventSeq/);
    for (const beyond of [
      { txSeq: 7, eventSeq: 2 ** 32 + 1 },
      { txSeq: 2 ** 39, eventSeq: 0 },
    ]) {
      expect(() => readSubscribeEvent([filter, beyond], LIMITS)).toThrow(/resume\) names no event/);
    }
  });

  it.each<[() => unknown, RegExp]>([
    [() => readGetEvents({}), /params must be an array/],
    [() => readGetEvents([]), /expected 1 to 4 params by position; got 0/],
    [() => readGetEvents(['All', null, 1001]), /position 3 \(limit\)/],
    [() => readGetEvents(['All', null, 1, 'up']), /position 4 \(ordering\)/],
    [() => readUnsubscribeEvent([]), /expected 1 params/],
    [() => readUnsubscribeEvent(['1']), /position 1 \(subscription\)/],
  ])('are refused with the position of the fault: %p', (read, message) => {
    expect(read).toThrow(message);
  });
});
