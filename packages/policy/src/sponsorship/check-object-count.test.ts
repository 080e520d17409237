import { describe, expect, it } from '@jest/globals';
import { MAX_NAMED_OBJECTS } from '@forecourt/ledger';
import { checkObjectCount } from './check-object-count.js';

const transaction = (owned: number, received: number, shared: number, packages: number) => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `0x${index}`);
  const reference = (objectId: string) => ({ objectId, version: 1, digest: 'D' });
  return {
    ownedInputs: ids(owned).map(reference),
    receivedInputs: ids(received).map(reference),
    sharedInputs: ids(shared).map((objectId) => ({
      objectId,
      initialSharedVersion: 1,
      mutable: false,
    })),
    packages: ids(packages),
  };
};

describe('the number of objects and packages a transaction names', () => {
  it('may reach the limit', () => {
    const most = transaction(MAX_NAMED_OBJECTS - 3, 1, 1, 1);
    expect(() => checkObjectCount(most)).not.toThrow();
  });

  it.each([
    [MAX_NAMED_OBJECTS + 1, 0, 0, 0],
    [0, MAX_NAMED_OBJECTS + 1, 0, 0],
    [0, 0, MAX_NAMED_OBJECTS + 1, 0],
    [0, 0, 0, MAX_NAMED_OBJECTS + 1],
    [MAX_NAMED_OBJECTS - 2, 1, 1, 1],
  ])('is refused above it: %d owned, %d received, %d shared, %d packages', (...counts) => {
    const expected = expect.objectContaining({
      code: 'TOO_MANY_OBJECTS',
      message: expect.stringContaining('513 exceed the limit of 512'),
    });
    expect(() => checkObjectCount(transaction(...counts))).toThrow(expected);
  });
});
