import { afterEach, describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from '../decoded-transaction.js';
import { haveInputsMovedOn } from './have-inputs-moved-on.js';
import { clientOf, StandInNode } from './nodes/stand-in-node.test-support.js';

const OBJECT = `0x${'a'.repeat(64)}`;
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const OTHER = '11111111111111111111111111111112';
const transaction = {
  digest: DIGEST,
  ownedInputs: [{ objectId: OBJECT, version: 7, digest: 'D7' }],
} as unknown as DecodedTransaction;

let node: StandInNode;
afterEach(() => node.stop());

describe('whether the inputs of a transaction have moved on', () => {
  it.each<[boolean, string, object]>([
    [false, 'at its version', { data: { version: '7', previousTransaction: OTHER } }],
    [true, 'at a later one', { data: { version: '8', previousTransaction: OTHER } }],
    [
      false,
      'as this very transaction left it',
      { data: { version: '8', previousTransaction: DIGEST } },
    ],
    [true, 'deleted', { error: { code: 'deleted' } }],
    [false, 'unknown to the node', { error: { code: 'notExists' } }],
  ])('is %p for one that is %s', async (expected, _name, shown) => {
    node = await StandInNode.start(() => ({ result: [shown] }));
    expect(await haveInputsMovedOn(clientOf(node), transaction)).toBe(expected);
  });
});
