import { afterEach, describe, expect, it } from '@jest/globals';
import { someEffects } from '../transactions/effects.test-support.js';
import { hasPaidForGas } from './gas-coins.js';
import { clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';

const OWNER = `0x${'5'.repeat(64)}`;
const OTHER = `0x${'6'.repeat(64)}`;
const [A, B] = ['HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9', '11111111111111111111111111111112'];

let node: StandInNode;
afterEach(() => node.stop());

const coin = (previousTransaction: string) => ({
  coinType: '0x2::iota::IOTA',
  coinObjectId: OWNER,
  version: '1',
  digest: previousTransaction,
  balance: '5',
  previousTransaction,
});

/** A transaction; `gasCoinOf`: who has its gas coin afterwards, by default its payer. */
function transactionOf(digest: string, payer: string, gasCoinOf = payer): object {
  const { gasObject } = someEffects();
  const effects = someEffects({
    transactionDigest: digest,
    gasObject: { ...gasObject, owner: { AddressOwner: gasCoinOf } },
  });
  const { objectId } = gasObject.reference;
  const gasData = {
    owner: payer,
    payment: [{ objectId, version: 5, digest: B }],
    price: '1000',
    budget: '1000000',
  };
  const transaction = { kind: 'ProgrammableTransaction', inputs: [], transactions: [] };
  return { digest, transaction: { data: { sender: payer, gasData, transaction } }, effects };
}

/**
 * A node whose coins were changed by these transactions, with the payer of each; null: a
 * transaction that the node does not know.
 */
async function start(
  payers: Readonly<Record<string, string | null>>,
  { hasNextPage = false, gasCoinOf }: { hasNextPage?: boolean; gasCoinOf?: string } = {},
): Promise<void> {
  node = await StandInNode.start(({ method, params }) => {
    if (method === 'iotax_getCoins') {
      return { result: { data: Object.keys(payers).map(coin), hasNextPage, nextCursor: 'more' } };
    }
    const [digests] = params as [string[]];
    const unknown = digests.find((digest) => payers[digest] == null);
    if (unknown !== undefined) {
      const message = `Could not find the referenced transaction [TransactionDigest(${unknown})].`;
      return { error: { code: -32602, message } };
    }
    return { result: digests.map((digest) => transactionOf(digest, payers[digest]!, gasCoinOf)) };
  });
}

describe('hasPaidForGas', () => {
  it('returns true when the sponsor paid for the last change of one of its coins', async () => {
    await start({ [A]: OTHER, [B]: OWNER });
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(true);
  });

  it('returns false when others paid', async () => {
    await start({ [A]: OTHER, [B]: OTHER });
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(false);
  });

  it.each([
    ['has pruned one of these transactions', { [A]: OTHER, [B]: null }],
    ['has pruned all of them', { [A]: null, [B]: null }],
  ])('returns true when the node %s: the sponsor may have paid', async (_what, payers) => {
    await start(payers);
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(true);
  });

  it('returns true when the node shows no more of a transaction than its digest', async () => {
    await start({ [A]: OTHER });
    const { respond } = node;
    node.respond = (call) =>
      call.method === 'iotax_getCoins' ? respond(call) : { result: [{ digest: A }] };
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(true);
  });

  it.each([
    ['false when another wallet has sent the coin that it paid with', OTHER, OWNER, false],
    ['true when the sponsor has sent the coin that it paid with', OWNER, OTHER, true],
  ])('returns %s', async (_what, payer, gasCoinOf, has) => {
    await start({ [A]: payer }, { gasCoinOf });
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(has);
  });

  it('returns false for a sponsor without coins', async () => {
    await start({});
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(false);
  });

  it('returns true when others have sent more coins than the search covers', async () => {
    await start({ [A]: OTHER }, { hasNextPage: true });
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(true);
    expect(node.calls.filter(({ method }) => method === 'iotax_getCoins')).toHaveLength(10);
  });

  it('returns false when others have sent several pages of coins', async () => {
    await start({ [A]: OTHER });
    const { respond } = node;
    const coins = (cursor: unknown) => ({
      data: [coin(A)],
      hasNextPage: cursor !== 'third',
      nextCursor: cursor === null ? 'second' : 'third',
    });
    node.respond = (call) =>
      call.method === 'iotax_getCoins' ? { result: coins(call.params[2]) } : respond(call);
    expect(await hasPaidForGas(clientOf(node), OWNER)).toBe(false);
  });
});
