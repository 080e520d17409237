import { afterEach, describe, expect, it } from '@jest/globals';
import { someEffects } from './effects.test-support.js';
import { transactionDigest } from '../transaction-digest.js';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { submitTransaction } from './submit-transaction.js';

const SUBMIT = 'iota_executeTransactionBlock';
const bytes = Uint8Array.of(1, 2, 3);

let node: StandInNode;
afterEach(() => node.stop());

/** `found`: the node's answer to a later lookup of the transaction. */
async function submit(response: Response, found: Response = response, user = 'user') {
  node = await StandInNode.start(({ method }) => (method === SUBMIT ? response : found));
  return submitTransaction(clientOf(node), bytes, [user, 'sponsor']);
}

describe('submitTransaction', () => {
  it('states the request type, since nodes differ in their default', async () => {
    const effects = someEffects();
    expect(await submit({ result: { digest: 'D', effects } })).toEqual({
      kind: 'executed',
      effects,
    });
    expect(node.calls).toMatchObject([
      {
        method: SUBMIT,
        params: ['AQID', ['user', 'sponsor'], { showEffects: true }, 'WaitForEffectsCert'],
      },
    ]);
  });

  it('classifies an error by the reason in its data', async () => {
    const message = 'Gas price 1 under reference gas price (RGP) 1000';
    const data = { reason: 'RejectedByValidators' };
    expect(await submit({ error: { code: -32002, message, data } })).toMatchObject({
      kind: 'conflict',
    });
  });

  it('is certain of a refusal, except that of an abstract account, whose authenticator may accept later', async () => {
    const message = 'Invalid user signature: Signature is not valid: MoveAbort';
    const refusal: Response = { error: { code: -32002, message } };
    expect(await submit(refusal)).toEqual({ kind: 'refused', message });
    await node.stop();
    const authenticator = Buffer.from([7, 0]).toString('base64');
    expect(await submit(refusal, refusal, authenticator)).toEqual({ kind: 'conflict', message });
  });

  it.each<[string, Response, string]>([
    ['a balancer’s refusal of a large request', { status: 413 }, 'unknown'],
    ['an answer without effects', { result: { digest: 'D' } }, 'unknown'],
    ['a response that is not JSON', { status: 200, body: '<html>' }, 'unknown'],
    ['a balancer without a node', { status: 503 }, 'unknown'],
    ['a connection that breaks', 'reset', 'unknown'],
  ])('reports an unknown outcome after %s', async (_what, response, kind) => {
    expect(await submit(response)).toMatchObject({ kind });
  });
});

describe('a transaction that is final with other signatures', () => {
  const message = 'The transaction is already finalized but with different user signatures';
  const finalized: Response = { error: { code: -32002, message } };
  const unknown = { kind: 'unknown', message };

  it('is executed, with the effects that the node finds', async () => {
    const effects = someEffects();
    expect(await submit(finalized, { result: { effects } })).toEqual({ kind: 'executed', effects });
    expect(node.calls.at(-1)?.params[0]).toBe(transactionDigest(bytes));
  });

  it.each<[string, Response]>([
    ['does not find it', { result: {} }],
    ['cannot look for it', { status: 503 }],
  ])('has an unknown outcome while the node %s', async (_what, found) => {
    expect(await submit(finalized, found)).toEqual(unknown);
  });
});
