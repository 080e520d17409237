import { describe, expect, it } from '@jest/globals';
import { type Condition, criterionOf, filterOf } from './event-filter.js';

describe('a condition on events', () => {
  it.each<[Condition, unknown, unknown]>([
    [
      { kind: 'EventType', value: 'NewObject' },
      { EventType: 'NewObject' },
      { EventType: 'NewObject' },
    ],
    [
      { kind: 'MoveEvent', value: '0x1::m::E' },
      { MoveEvent: '0x1::m::E' },
      { MoveEventType: '0x1::m::E' },
    ],
    [
      { kind: 'Module', value: '0x1::m' },
      { MoveModule: { package: '0x1', module: 'm' } },
      { And: [{ Package: '0x1' }, { Module: 'm' }] },
    ],
    [{ kind: 'Sender', value: ' 0xa ' }, { Sender: '0xa' }, { SenderAddress: '0xa' }],
    [{ kind: 'Object', value: '0xb' }, { Object: '0xb' }, { ObjectId: '0xb' }],
    [{ kind: 'Transaction', value: '9x' }, { Transaction: '9x' }, null],
    [{ kind: 'Module', value: '0x1' }, null, null],
    [{ kind: 'Sender', value: '' }, null, null],
  ])(
    '%j is a criterion of queries and a filter of subscriptions',
    (condition, criterion, filter) => {
      expect(criterionOf(condition)).toEqual(criterion);
      expect(filterOf(condition)).toEqual(filter);
    },
  );

  it('can be every kind of event', () => {
    expect(criterionOf({ kind: 'all', value: '' })).toBe('All');
    expect(JSON.stringify(filterOf({ kind: 'all', value: '' }))).toContain('EpochChange');
  });
});
