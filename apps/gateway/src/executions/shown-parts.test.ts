import { describe, expect, it } from '@jest/globals';
import { partsOf, ShownParts } from './shown-parts.js';

describe('the parts of a transaction that a call asks for', () => {
  it('are those that it names, and none by default', () => {
    expect([partsOf(undefined), partsOf(null), partsOf({})]).toEqual([[], [], []]);
    expect(partsOf({ showEvents: true, showInput: false, showObjectChanges: null })).toEqual([
      'events',
    ]);
    const all = { showEvents: true, showInput: true, showObjectChanges: true };
    expect(partsOf({ ...all, showBalanceChanges: true })).toEqual([
      'events',
      'objectChanges',
      'balanceChanges',
      'input',
    ]);
  });

  it('are read in one call, and null where the node does not show them', async () => {
    const asked: unknown[] = [];
    const readTransactionParts = async (...call: unknown[]) => {
      asked.push(call);
      return { events: ['event'] };
    };
    const shown = new ShownParts({ readTransactionParts }, { warn: () => undefined });
    expect(await shown.read('D', ['events', 'objectChanges'])).toEqual({
      events: ['event'],
      object_changes: null,
    });
    expect(asked).toEqual([['D', ['events', 'objectChanges']]]);
  });

  it('are read once, unless one of them is not shown yet', async () => {
    let read: object = { events: ['event'] };
    let reads = 0;
    const readTransactionParts = async () => ((reads += 1), read);
    const shown = new ShownParts({ readTransactionParts }, { warn: () => undefined });
    await shown.read('D', ['events', 'input']);
    read = { events: ['event'], input: {} };
    for (let call = 0; call < 3; call++) {
      expect(await shown.read('D', ['events', 'input'])).toEqual(read);
    }
    expect(reads).toBe(2);
    await shown.read('E', ['events', 'input']);
    expect(reads).toBe(3);
  });

  it('are null, and the answer is given all the same, when the node cannot be asked', async () => {
    const warned: unknown[] = [];
    const readTransactionParts = () => Promise.reject(new Error('timed out'));
    const shown = new ShownParts({ readTransactionParts }, {
      warn: (fields: unknown) => void warned.push(fields),
    } as never);
    expect(await shown.read('D', ['input'])).toEqual({ input: null });
    expect(warned).toEqual([{ digest: 'D', cause: 'Error: timed out' }]);
  });
});
