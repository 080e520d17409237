import { afterEach, describe, expect, it } from '@jest/globals';
import { clientOf, type Response, StandInNode } from './nodes/stand-in-node.test-support.js';
import { submitTransaction } from './submit-transaction.js';

const bytes = Uint8Array.of(1, 2, 3);

let node: StandInNode;
afterEach(() => node.stop());

async function submit(response: Response) {
  node = await StandInNode.start(() => response);
  return submitTransaction(clientOf(node), bytes, ['user', 'sponsor']);
}

describe('submitting a transaction', () => {
  it('says which request type it wants, since nodes differ in their default', async () => {
    const effects = { status: { status: 'success' }, executedEpoch: '3' };
    expect(await submit({ result: { digest: 'D', effects } })).toEqual({
      kind: 'executed',
      effects,
    });
    expect(node.calls).toMatchObject([
      {
        method: 'iota_executeTransactionBlock',
        params: ['AQID', ['user', 'sponsor'], { showEffects: true }, 'WaitForEffectsCert'],
      },
    ]);
  });

  it('decides by the data of an error where there is a reason', async () => {
    const message = 'Gas price 1 under reference gas price (RGP) 1000';
    const data = { reason: 'RejectedByValidators' };
    expect(await submit({ error: { code: -32002, message, data } })).toMatchObject({
      kind: 'conflict',
    });
  });

  it.each<[string, Response, string]>([
    ['a transaction that is too large to be read', { status: 413 }, 'refused'],
    ['an answer without effects', { result: { digest: 'D' } }, 'unknown'],
    ['a response that is not JSON', { status: 200, body: '<html>' }, 'unknown'],
    ['a balancer without a node', { status: 503 }, 'unknown'],
    ['a connection that breaks', 'reset', 'unknown'],
  ])('%s', async (_what, response, kind) => {
    expect(await submit(response)).toMatchObject({ kind });
  });
});
