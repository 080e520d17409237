import { afterEach, describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { haveInputsMovedOn } from './read-objects.js';
import { clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';

const OBJECT = `0x${'a'.repeat(64)}`;
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const OTHER = '11111111111111111111111111111112';
const COIN = `0x${'c'.repeat(64)}`;
/** An object at this version, last changed by this transaction. */
const shownAt = (version: string, previousTransaction: string) => ({
  data: { digest: 'D', version, previousTransaction },
});
/** Shows the objects that are asked for like this, in order. */
const showing =
  (...answers: readonly object[]) =>
  ({ params }: { readonly params: readonly unknown[] }) => ({
    result: (params[0] as string[]).map((objectId, index) => {
      const one = answers[index]!;
      return 'data' in one ? { data: { ...(one.data as object), objectId } } : one;
    }),
  });
const UNMOVED = shownAt('3', OTHER);
const MOVED_ON = shownAt('8', OTHER);
const input = { objectId: OBJECT, version: 7, digest: 'D7' };
const gasCoin = { objectId: COIN, version: 3, digest: 'C3' };

const transactionOf = (
  ownedInputs: DecodedTransaction['ownedInputs'],
  gasPayment: DecodedTransaction['gasPayment'],
) => ({ digest: DIGEST, ownedInputs, gasPayment }) as unknown as DecodedTransaction;
const transaction = transactionOf([input], [gasCoin]);

let node: StandInNode;
afterEach(() => node.stop());

describe('haveInputsMovedOn', () => {
  it.each<[boolean, string, object]>([
    [false, 'at its version', shownAt('7', OTHER)],
    [true, 'at a later one', MOVED_ON],
    [false, 'as this very transaction left it', shownAt('8', DIGEST)],
    [true, 'deleted', { error: { code: 'deleted', version: '8' } }],
    [
      false,
      'deleted at an earlier version: it was wrapped then',
      { error: { code: 'deleted', version: '6' } },
    ],
    [false, 'unknown to the node', { error: { code: 'notExists' } }],
  ])('returns %p for an input that is %s', async (expected, _name, answer) => {
    node = await StandInNode.start(showing(answer, UNMOVED));
    expect(await haveInputsMovedOn(clientOf(node), transaction)).toBe(expected);
  });

  it.each([
    ['moved', shownAt('8', DIGEST)],
    ['deleted', { error: { code: 'deleted', version: '8' } }],
    ['unknown to the node', { error: { code: 'notExists' } }],
  ])(
    'returns false when its gas coin is %s: the transaction itself may have moved them',
    async (_name, coin) => {
      node = await StandInNode.start(showing(MOVED_ON, coin));
      expect(await haveInputsMovedOn(clientOf(node), transaction)).toBe(false);
    },
  );

  it('reads inputs and gas coins from one node, in one call that ends with the gas coins', async () => {
    const numbered = (kind: string, version: number) =>
      Array.from({ length: 60 }, (_, index) => ({
        objectId: `0x${String(index).padStart(64, kind)}`,
        version,
        digest: 'D',
      }));
    const [inputs, coins] = [numbered('a', 7), numbered('c', 3)];
    const isCoin = (id: string) => id.startsWith('0xc');
    node = await StandInNode.start((call) => {
      const [ids] = call.params as [string[]];
      return showing(...ids.map((id) => (isCoin(id) ? UNMOVED : MOVED_ON)))(call);
    });
    const ask = (count: number) =>
      haveInputsMovedOn(clientOf(node), transactionOf(inputs, coins.slice(0, count)));
    expect(await ask(2)).toBe(true);
    const called = node.calls.map(({ params }) => (params as [string[]])[0].map(isCoin));
    expect(called.map((kinds) => [kinds.length, kinds.indexOf(true)])).toEqual([[50, 48]]);
    expect(await ask(50)).toBe(false);
  });
});
