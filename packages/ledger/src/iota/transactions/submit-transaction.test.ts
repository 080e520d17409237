import { afterEach, describe, expect, it } from '@jest/globals';
import { SOME_DIGEST, someEffects } from './effects.test-support.js';
import { transactionDigest } from './decoding/transaction-digest.js';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { submitTransaction } from './submit-transaction.js';

const SUBMIT = 'iota_executeTransactionBlock';
const bytes = Uint8Array.of(1, 2, 3);
const digest = transactionDigest(bytes);

const MINUTE_MS = 60_000;

let node: StandInNode;
/** When the present epoch began and ends, in ms from now; null: no node answers. */
let epoch: readonly [start: number, end: number] | null = null;
afterEach(async () => {
  epoch = null;
  await node.stop();
});

async function readEpoch() {
  if (epoch === null) throw new Error('no node answers');
  const [epochStartedAt, epochEndsAt] = epoch.map((ms) => Date.now() + ms) as [number, number];
  return { epochStartedAt, epochEndsAt };
}

/** `found`: the node's answer to a later lookup of the transaction. */
async function submit(response: Response, found: Response = response, user = 'user') {
  node = await StandInNode.start(({ method }) => (method === SUBMIT ? response : found));
  return submitTransaction(clientOf(node), bytes, [user, 'sponsor'], readEpoch);
}

describe('submitTransaction', () => {
  it('states the request type, since nodes differ in their default', async () => {
    const effects = someEffects({ transactionDigest: digest });
    expect(await submit({ result: { digest, effects } })).toEqual({
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
    ['effects of another transaction', { result: { effects: someEffects() } }, 'unknown'],
    ['an answer without effects', { result: { digest: 'D' } }, 'unknown'],
    ['a response that is not JSON', { status: 200, body: '<html>' }, 'unknown'],
    ['a balancer without a node', { status: 503 }, 'unknown'],
    ['a connection that breaks', 'reset', 'unknown'],
  ])('reports an unknown outcome after %s', async (_what, response, kind) => {
    expect(await submit(response)).toMatchObject({ kind });
  });
});

describe('a refusal that a node may also send for a certificate, in the epoch after', () => {
  const inputs =
    'Transaction execution failed due to issues with transaction inputs, please review';
  const texts = [
    'Transaction Expired.',
    'Size limit exceeded: 1 of 0.',
    'Feature is not supported: x',
  ];
  const refusals = texts.map((text) => `${inputs}: ${text}`);
  const refuse = (message: string, data?: unknown, user = 'user') =>
    submit({ error: { code: -32002, message, data } }, undefined, user);

  it.each(refusals)('is certain if the submission lies within one epoch: %s', async (message) => {
    epoch = [-2 * MINUTE_MS, 2 * MINUTE_MS];
    expect(await refuse(message)).toEqual({ kind: 'refused', message });
  });

  it.each<[string, typeof epoch]>([
    ['has just begun', [-MINUTE_MS / 2, 60 * MINUTE_MS]],
    ['may have ended', [-60 * MINUTE_MS, MINUTE_MS / 2]],
    ['is not known', null],
  ])('is uncertain if the epoch %s', async (_what, times) => {
    epoch = times;
    expect(await refuse(refusals[0]!)).toMatchObject({ kind: 'conflict' });
  });

  it('is uncertain if validators refuse, or for an abstract account', async () => {
    epoch = [-2 * MINUTE_MS, 2 * MINUTE_MS];
    const [message] = refusals as [string];
    expect(await refuse(message, { reason: 'REJECTED_BY_VALIDATORS' })).toMatchObject({
      kind: 'conflict',
    });
    await node.stop();
    const authenticator = Buffer.from([7, 0]).toString('base64');
    expect(await refuse(message, undefined, authenticator)).toMatchObject({ kind: 'conflict' });
  });
});

describe('a transaction that is final with other signatures', () => {
  const message = 'The transaction is already finalized but with different user signatures';
  const finalized: Response = { error: { code: -32002, message } };
  const unknown = { kind: 'unknown', message };

  it('is executed, with the effects that the node finds', async () => {
    const effects = someEffects({ transactionDigest: digest });
    expect(await submit(finalized, { result: { digest, effects } })).toEqual({
      kind: 'executed',
      effects,
    });
    expect(node.calls.at(-1)?.params[0]).toBe(digest);
  });

  it.each<[string, Response]>([
    ['does not find it', { result: { digest } }],
    ['finds another one', { result: { digest: SOME_DIGEST, effects: someEffects() } }],
    ['cannot look for it', { status: 503 }],
  ])('has an unknown outcome while the node %s', async (_what, found) => {
    expect(await submit(finalized, found)).toEqual(unknown);
  });
});
