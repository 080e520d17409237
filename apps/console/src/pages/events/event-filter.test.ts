import { describe, expect, it } from '@jest/globals';
import {
  type Condition,
  criterionOf,
  filterOf,
  groupByTransaction,
  isShown,
} from './event-filter.js';

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

  it('leaves checkpoints out of everything unless they are wanted', () => {
    const checkpoint = { event: { checkpoint: 7 } };
    const others = { kind: 'all', value: '' } as const;
    const everything = { ...others, checkpoints: true };
    expect(JSON.stringify(filterOf(others))).not.toContain('Checkpoint');
    expect(JSON.stringify(filterOf(everything))).toContain('Checkpoint');
    expect([others, everything].map((one) => isShown(one, checkpoint))).toEqual([false, true]);
    expect(isShown({ kind: 'EventType', value: 'Checkpoint' }, checkpoint)).toBe(true);
    expect(isShown(others, { event: { epochChange: 3 } })).toBe(true);
  });
});

describe('events of one transaction', () => {
  it('stand together, in the order of the list', () => {
    const recordOf = (txDigest: string, eventSeq: number) => ({
      timestamp: 0,
      txDigest,
      id: { txSeq: 1, eventSeq },
      event: { checkpoint: eventSeq },
    });
    const records = [recordOf('B', 1), recordOf('B', 0), recordOf('A', 0)];
    expect(groupByTransaction(records)).toEqual([
      { txDigest: 'B', records: records.slice(0, 2) },
      { txDigest: 'A', records: records.slice(2) },
    ]);
    expect(groupByTransaction([])).toEqual([]);
  });
});
