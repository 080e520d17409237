import { describe, expect, it } from '@jest/globals';
import { type LedgerEvent, readEventFilter } from '@forecourt/contracts';
import { hasField, matchesEvent } from './matches-event.js';

const full = (digit: string) => `0x${digit.padStart(64, '0')}`;
const origin = { packageId: full('a'), transactionModule: 'm', sender: full('5') };
const move: LedgerEvent = {
  moveEvent: { ...origin, type: `${full('a')}::m::S<u64>`, fields: { n: '7' }, bcs: '' },
};
const deleted: LedgerEvent = { deleteObject: { ...origin, objectId: full('c') } };
const checkpoint: LedgerEvent = { checkpoint: 4 };

describe('a filter of the legacy dialect', () => {
  it.each<[unknown, LedgerEvent[]]>([
    [{ Package: '0xa' }, [move, deleted]],
    [{ Package: '0xb' }, []],
    [{ Module: 'm' }, [move, deleted]],
    [{ SenderAddress: '0x5' }, [move, deleted]],
    [{ ObjectId: '0xc' }, [deleted]],
    [{ EventType: 'DeleteObject' }, [deleted]],
    [{ EventType: 'Checkpoint' }, [checkpoint]],
    [{ MoveEventType: '0xa::m::S' }, [move]],
    [{ MoveEventType: '0xa::m::S<u64>' }, [move]],
    [{ MoveEventType: '0xa::m::S<u8>' }, []],
    [{ MoveEventType: '0xa::m::Sx' }, []],
    [{ MoveEventField: { path: '/n', value: 7 } }, [move]],
    [{ And: [{ Module: 'm' }, { ObjectId: '0xc' }] }, [deleted]],
    [{ Or: [{ ObjectId: '0xc' }, { EventType: 'Checkpoint' }] }, [deleted, checkpoint]],
    [{ All: [{ Module: 'm' }, { Package: '0xa' }, { EventType: 'MoveEvent' }] }, [move]],
    [{ Any: [{ All: [{ Module: 'x' }] }, { EventType: 'Checkpoint' }] }, [checkpoint]],
  ])('finds by %j the events that it names', (filter, expected) => {
    const read = readEventFilter(filter, 'filter', { maxDepth: 5, maxFilters: 10 });
    const found = [move, deleted, checkpoint].filter((event) => matchesEvent(event, read));
    expect(found).toEqual(expected);
  });

  it.each<[unknown, string[], unknown, boolean]>([
    [{ a: { b: ['x', '7'] } }, ['a', 'b', '1'], 7, true],
    [{ a: { b: 7 } }, ['a'], { b: '7' }, true],
    [{ a: { c: 1, b: 2 } }, ['a'], { b: 2, c: 1 }, true],
    [{ a: '007' }, ['a'], 7, false],
    [{ a: 1.5 }, ['a'], '1.5', false],
    [{ a: null }, ['a'], null, true],
    [{ a: [1] }, ['a', 'length'], 1, false],
    [{ a: {} }, ['a', 'constructor'], null, false],
    [{ a: 'text' }, ['a', '0'], 't', false],
    [null, ['a'], null, false],
  ])('compares in %j the field %j with %j: %s', (fields, path, wanted, expected) => {
    expect(hasField(fields, path, wanted)).toBe(expected);
  });
});
