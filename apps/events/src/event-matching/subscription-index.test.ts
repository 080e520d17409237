import { describe, expect, it } from '@jest/globals';
import {
  type EventFilter,
  type LedgerEvent,
  readEventCriterion,
  readEventFilter,
} from '@forecourt/contracts';
import fc from 'fast-check';
import { compileFilter } from './compile-filter.js';
import {
  compileCriterion,
  findCoveringCriterion,
  keyOfCriterion,
  keysOfEvent,
} from './event-criteria.js';
import { describeEvent } from './event-traits.js';
import { naiveMatches } from './naive-matches.test-support.js';
import { randomEvent, randomFilter } from './random-events.test-support.js';
import { SubscriptionIndex } from './subscription-index.js';

const RUNS = { numRuns: 2_000 };
const read = (filter: unknown): EventFilter =>
  readEventFilter(filter, 'filter', { maxDepth: 16, maxFilters: 1_000 });

describe('event matching', () => {
  it('matches the same events as a naive implementation of the filters', () => {
    let matched = 0;
    fc.assert(
      fc.property(randomEvent, randomFilter, (event, filter) => {
        const expected = naiveMatches(event, filter);
        matched += Number(expected);
        expect(compileFilter(read(filter))(describeEvent(event))).toBe(expected);
      }),
      RUNS,
    );
    // Random events that never match would prove little.
    expect(matched).toBeGreaterThan(100);
  });

  it('finds each matching subscription exactly once, even while subscriptions are removed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(randomFilter, fc.nat(3)), { maxLength: 30 }),
        fc.array(randomEvent, { minLength: 1, maxLength: 5 }),
        (filters, events) => {
          const index = new SubscriptionIndex<number>();
          const removals = filters.map(([filter], subscriber) =>
            index.add(read(filter), subscriber),
          );
          const present = new Set(filters.keys());
          for (const event of events) {
            const found: number[] = [];
            index.match(describeEvent(event), (subscriber) => {
              found.push(subscriber);
              // Some subscriptions end during the visit.
              if (filters[subscriber]![1] === 0) {
                removals[subscriber]!();
                removals[subscriber]!();
              }
            });
            const expected = [...present].filter((one) => naiveMatches(event, filters[one]![0]));
            expect(found.sort((a, b) => a - b)).toEqual(expected);
            for (const one of found) if (filters[one]![1] === 0) present.delete(one);
            expect(index.size).toBe(present.size);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['0xa::m::S', '0xa::m::S<u64>', true],
    ['0xa::m::S', '0xa::m::S<0xb::n::T<u8>,bool>', true],
    ['0xa::m::S', '0xa::m::S', true],
    ['0xa::m::S<u64>', '0xa::m::S<u64>', true],
    ['0xa::m::S<u64>', '0xa::m::S<u8>', false],
    ['0xa::m::S<u64>', '0xa::m::S', false],
    ['0xa::m::S', '0xa::m::Sx<u64>', false],
  ])('finds by the type %s an event of type %s: %s', (wanted, type, expected) => {
    const body = { packageId: '0xa', transactionModule: 'm', sender: '0x1', fields: {}, bcs: '' };
    const event: LedgerEvent = { moveEvent: { ...body, type } };
    const traits = describeEvent(event);
    const record = { timestamp: 1, txDigest: '', id: { txSeq: 1, eventSeq: 0 }, event };
    const filter = read({ MoveEventType: wanted });
    expect(compileFilter(filter)(traits)).toBe(expected);
    const index = new SubscriptionIndex<string>();
    index.add(filter, 'subscriber');
    const found: string[] = [];
    index.match(traits, (subscriber) => found.push(subscriber));
    expect(found).toEqual(expected ? ['subscriber'] : []);
    const criterion = readEventCriterion({ MoveEvent: wanted }, 'query');
    expect(compileCriterion(criterion)(record, traits)).toBe(expected);
    expect(keysOfEvent(record).includes(keyOfCriterion(criterion)!)).toBe(expected);
  });

  it('finds a criterion that every matching event satisfies', () => {
    fc.assert(
      fc.property(randomEvent, randomFilter, (event: LedgerEvent, filter) => {
        fc.pre(naiveMatches(event, filter));
        const record = { timestamp: 1, txDigest: '', id: { txSeq: 1, eventSeq: 0 }, event };
        const covers = compileCriterion(findCoveringCriterion(read(filter)));
        expect(covers(record, describeEvent(event))).toBe(true);
      }),
      RUNS,
    );
  });

  it.each([
    [{ SenderAddress: '0xa' }, 'Sender'],
    [{ And: [{ EventType: 'MoveEvent' }, { SenderAddress: '0xa' }] }, 'Sender'],
    [{ All: [{ Package: '0xa' }, { ObjectId: '0xb' }] }, 'Object'],
    [{ MoveEventField: { path: '/a', value: 1 } }, 'EventType'],
    [{ Any: [{ SenderAddress: '0xa' }, { SenderAddress: '0xb' }] }, 'All'],
  ])('covers filter %j with criterion %s', (filter, key) => {
    expect(findCoveringCriterion(read(filter)).key).toBe(key);
  });

  it('checks only the few subscriptions that require one of the event’s values', () => {
    const index = new SubscriptionIndex<number>();
    const fromSender = (sender: number) =>
      read({
        And: [{ SenderAddress: `0x${sender.toString(16)}` }, { EventType: 'DeleteObject' }],
      });
    for (let sender = 0; sender < 10_000; sender++) index.add(fromSender(sender), sender);
    const deleted = {
      packageId: '0x2',
      transactionModule: 'native',
      sender: '0x11',
      objectId: '0x3',
    };
    const traits = describeEvent({ deleteObject: deleted });
    let checks = 0;
    const found: number[] = [];
    const watched = {
      ...traits,
      get sender() {
        checks += 1;
        return traits.sender;
      },
    };
    index.match(watched, (one) => found.push(one));
    expect(found).toEqual([17]);
    expect(checks).toBeLessThan(5);
  });
});
