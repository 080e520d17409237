import { describe, expect, it } from '@jest/globals';
import {
  type EventPage,
  eventKinds,
  type LedgerEvent,
  readAliasGetEvents,
  readAliasSubscribeEvent,
  readAliasUnsubscribeEvent,
  readGetEvents,
  readSubscribeEvent,
  writeAliasPage,
  writeCursor,
  writeEventPage,
} from '../index.js';

const LIMITS = { maxDepth: 3, maxFilters: 4 };
const USUAL = { criterion: { key: 'All' }, cursor: null, limit: 1_000, descending: false };
const RANGE = { key: 'TimeRange', value: { startTime: 1, endTime: 2 } };

describe('params under an alias', () => {
  it.each<[unknown, object]>([
    [['All', null, null, null], USUAL],
    [['All', null, null, true], { descending: true }],
    [[{ All: [] }], USUAL],
    [[{ TimeRange: { start_time: 1, end_time: 2 } }], { criterion: RANGE }],
    [[{ TimeRange: { startTime: 1, endTime: 2 } }], { criterion: RANGE }],
    [['All', { txSeq: 7, eventSeq: 2 }], { cursor: { txSeq: 7, eventSeq: 2 } }],
    [['All', writeCursor({ txSeq: 7, eventSeq: 2 })], { cursor: { txSeq: 7, eventSeq: 2 } }],
    [{ query: 'All' }, USUAL],
    [
      { descending_order: true, limit: 5, cursor: { txSeq: 7, eventSeq: 0 }, query: { All: [] } },
      { ...USUAL, cursor: { txSeq: 7, eventSeq: 0 }, limit: 5, descending: true },
    ],
  ])('are read in a query: %j', (params, expected) => {
    expect(readAliasGetEvents(params)).toMatchObject(expected);
  });

  it.each<[unknown, RegExp]>([
    [undefined, /params must be an array; got nothing/],
    [[], /expected 1 to 4 params by position; got 0/],
    [{}, /query is missing/],
    [{ query: 'All', order: true }, /params must be an object with query, .*; got "order"/],
    [{ query: 'All', descending_order: 'up' }, /descending_order must be true/],
    [{ query: 'All', limit: 1_001 }, /limit must be null or an integer from 1 to 1000; got 1001/],
    [{ query: { TimeRange: { start_time: 1 } } }, /query\.TimeRange\.end_time must be .*nothing/],
    [[{ TimeRange: { start_time: 1, endTime: 2 } }], /start_time and end_time .*got "endTime"/],
    [[{ TimeRange: { start_time: 2, end_time: 1 } }], /start_time must not be after end_time/],
    [[{ EventType: 'MutateObject' }], /must be one of MoveEvent.*got "MutateObject"/],
    [
      ['All', { txDigest: 'x', eventSeq: 0 }],
      /\(cursor\)\.txSeq must be a non-negative integer; got nothing/,
    ],
    [['All', { txSeq: 7 }], /\(cursor\)\.eventSeq must be a non-negative integer; got nothing/],
    [['All', { txSeq: 7, eventSeq: 2 ** 32 + 1 }], /\(cursor\) names no event/],
    [['All', { txSeq: 2 ** 39, eventSeq: 0 }], /\(cursor\) names no event/],
    [['All', []], /\(cursor\) must be an object with txSeq and eventSeq/],
    [['All', '7'], /\(cursor\) must be null or the value of a former nextCursor/],
  ])('are refused by name in a query: %j', (params, message) => {
    expect(() => readAliasGetEvents(params)).toThrow(message);
  });

  it('accept {"All":[]} as everything in a subscription', () => {
    const everything = {
      key: 'Any',
      filters: eventKinds.map((kind) => ({ key: 'EventType', value: kind })),
    };
    for (const params of [[{ All: [] }], { filter: { All: [] } }]) {
      expect(readAliasSubscribeEvent(params, LIMITS)).toEqual({ filter: everything, from: null });
    }
    const nested = [{ And: [{ All: [] }, { Module: 'm' }] }];
    expect(() => readAliasSubscribeEvent(nested, LIMITS)).toThrow(/one or more filters; got 0/);
    expect(() => readAliasSubscribeEvent([[]], LIMITS)).toThrow(/filter\) must be an object/);
  });

  it('are read by position and by name at the end of a subscription', () => {
    expect(readAliasUnsubscribeEvent([7])).toBe(7);
    expect(readAliasUnsubscribeEvent({ subscription: 7 })).toBe(7);
    expect(() => readAliasUnsubscribeEvent({ id: 7 })).toThrow(/got "id"/);
  });

  it('are refused under the names of the specification', () => {
    expect(() => readGetEvents({ query: 'All' })).toThrow(/params must be an array/);
    expect(() => readGetEvents([{ TimeRange: { start_time: 1, end_time: 2 } }])).toThrow(
      /startTime and endTime/,
    );
    expect(() => readSubscribeEvent([{ All: [] }], LIMITS)).toThrow(/one or more filters; got 0/);
  });
});

describe('pages', () => {
  const origin = { packageId: '0x2', transactionModule: 'm', sender: '0xa' };
  const owned = { ...origin, objectId: '0xc', version: 4 };
  const recipient = { AddressOwner: '0xb' };
  const objectType = '0x2::m::S';
  const events: LedgerEvent[] = [
    { newObject: { ...owned, recipient, objectType } },
    { deleteObject: owned },
    { transferObject: { ...owned, recipient, type: objectType } },
    { checkpoint: 9 },
  ];
  const page = (...pageEvents: LedgerEvent[]): EventPage => ({
    data: pageEvents.map((event, eventSeq) => ({
      timestamp: 1,
      txDigest: 'x',
      id: { txSeq: 7, eventSeq },
      event,
    })),
    nextCursor: { txSeq: 7, eventSeq: 4 },
  });

  it('have the attributes of 2022 and an id as nextCursor under an alias', () => {
    const { data, nextCursor } = writeAliasPage(page(...events));
    expect(data.map(({ event }) => event)).toStrictEqual([
      { newObject: { ...owned, recipient, objectType } },
      { deleteObject: owned },
      { transferObject: { ...owned, recipient, objectType } },
      { checkpoint: 9 },
    ]);
    expect(nextCursor).toEqual({ txSeq: 7, eventSeq: 4 });
    expect(writeAliasPage({ data: [], nextCursor: null })).toEqual({ data: [], nextCursor: null });
  });

  it('have the attributes of the specification under its own names', () => {
    const { data, nextCursor } = writeEventPage(page(...events));
    expect(data.map(({ event }) => event)).toStrictEqual([
      { newObject: { ...origin, recipient, objectId: '0xc' } },
      { deleteObject: { ...origin, objectId: '0xc' } },
      { transferObject: { ...owned, recipient, type: objectType } },
      { checkpoint: 9 },
    ]);
    expect(nextCursor).toBe('7.3+x');
  });

  it.each<[LedgerEvent, RegExp]>([
    [{ newObject: { ...owned, recipient } }, /does not report the type of new objects/],
    [{ deleteObject: { ...origin, objectId: '0xc' } }, /the version of deleted objects/],
  ])(
    'fail under an alias, naming the attribute that the node does not report: %j',
    (event, message) => {
      expect(() => writeAliasPage(page(event))).toThrow(message);
    },
  );
});
