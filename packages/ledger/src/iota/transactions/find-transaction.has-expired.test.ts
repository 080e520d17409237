import { afterEach, describe, expect, it } from '@jest/globals';
import { hasExpired } from './find-transaction.js';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { someEffects } from './effects.test-support.js';

const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const NOT_FOUND: Response = {
  error: { code: -32602, message: 'Could not find the referenced transaction' },
};

const started: StandInNode[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

/** A node in this epoch with this response to a lookup of the transaction. */
async function aNode(epoch: string, found: Response = NOT_FOUND): Promise<StandInNode> {
  const status = {
    epoch,
    referenceGasPrice: '1000',
    protocolVersion: '20',
    epochStartTimestampMs: '0',
    epochDurationMs: '1000',
    activeValidators: [],
  };
  const node = await StandInNode.start(({ method }) => {
    if (method === 'iota_getProtocolConfig') return { result: { protocolVersion: '20' } };
    return method === 'iotax_getLatestIotaSystemState' ? { result: status } : found;
  });
  started.push(node);
  return node;
}

describe('hasExpired', () => {
  it.each<[boolean, string, string, bigint | null, Response]>([
    [true, 'whose last epoch has ended without it', '8', 7n, NOT_FOUND],
    [false, 'in its last epoch', '7', 7n, NOT_FOUND],
    [false, 'that never expires', '8', null, NOT_FOUND],
    [false, 'that landed', '8', 7n, { result: { digest, effects: someEffects() } }],
  ])('returns %p for a transaction %s', async (expected, _name, epoch, expirationEpoch, found) => {
    const client = clientOf(await aNode(epoch, found));
    const read = client.confirmed((node) => hasExpired(node, { digest, expirationEpoch }));
    expect(await read).toBe(expected);
  });

  it('reads epoch and transaction from one node: another one may lack what has landed', async () => {
    const client = clientOf(await aNode('8', 'reset'), await aNode('7'));
    const transaction = { digest, expirationEpoch: 7n };
    expect(await client.confirmed((node) => hasExpired(node, transaction))).toBe(false);
  });
});
