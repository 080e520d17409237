import { afterEach, describe, expect, it } from '@jest/globals';
import { readGasCoins } from './gas-coins.js';
import { aCheckpoint, clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';

const OWNER = `0x${'5'.repeat(64)}`;
const OTHER = `0x${'6'.repeat(64)}`;
const COIN = `0x${'a'.repeat(64)}`;
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

const content = {
  dataType: 'moveObject',
  type: '0x2::coin::Coin<0x2::iota::IOTA>',
  fields: { balance: '1000' },
};
/** As a node shows it. */
const coin = {
  objectId: COIN,
  version: '7',
  digest: 'D7',
  owner: { AddressOwner: OWNER },
  content,
};

let node: StandInNode;
afterEach(() => node.stop());

describe('reading gas coins', () => {
  it('reports the transaction that made the version shown', async () => {
    node = await StandInNode.start(({ params }) => {
      const [, options] = params as [unknown, { showPreviousTransaction?: boolean }];
      const maker = options.showPreviousTransaction && { previousTransaction: DIGEST };
      return { result: [{ data: { ...coin, ...maker } }] };
    });
    const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 6 }]);
    const expected = {
      objectId: COIN,
      version: 7,
      digest: 'D7',
      balance: 1_000n,
      changedBy: DIGEST,
    };
    expect(coins.get(COIN)).toEqual(expected);
  });

  it.each<[string, string | undefined, string]>([
    ['6', undefined, 'the node lags and shows the previous owner'],
    ['8', 'gone', 'the coin has left the owner'],
  ])(
    'reports a coin that another address owns at version %s as %s: %s',
    async (version, expected) => {
      const owner = { AddressOwner: OTHER };
      node = await StandInNode.start(() => ({ result: [{ data: { ...coin, version, owner } }] }));
      const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 7 }]);
      expect(coins.get(COIN)).toBe(expected);
    },
  );

  it.each<[string, object | undefined, object]>([
    ['gone', undefined, { error: { code: 'deleted', version: '8' } }],
    ['gone', { owner: { AddressOwner: `0x${'6'.repeat(64)}` } }, {}],
    ['gone', { owner: { ObjectOwner: OWNER } }, {}],
    ['gone', { owner: 'Immutable' }, {}],
    ['gone', { owner: null }, {}],
    ['gone', { content: { dataType: 'package' } }, {}],
    ['gone', { content: undefined }, {}],
    ['gone', { content: { ...content, type: '0x2::coin::Coin<0x3::usd::USD>' } }, {}],
    ['not shown', undefined, { error: { code: 'deleted', version: '6' } }],
    ['not shown', undefined, { error: { code: 'notExists' } }],
    ['not shown', undefined, { error: { code: 'unknown' } }],
  ])('reports %s for a coin that the node shows as %j %j', async (kind, changed, rest) => {
    const data = changed && { ...coin, ...changed };
    node = await StandInNode.start(() => ({ result: [{ data, ...rest }] }));
    const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 6 }]);
    expect(coins.get(COIN)).toBe(kind === 'gone' ? 'gone' : undefined);
  });

  it.each<[string | undefined, string, number, object]>([
    [
      'gone',
      'four minutes beyond a time at which the ledger had it',
      240_000,
      { code: 'notExists' },
    ],
    [undefined, 'no further than clocks differ', 120_000, { code: 'notExists' }],
    [undefined, 'beyond that time, and cannot read it', 240_000, { code: 'unknown' }],
  ])(
    'reports %s for a coin that a node does not show which is %s',
    async (expected, _what, ms, error) => {
      const hadAt = 1_760_000_000_000;
      const answers: Record<string, unknown> = {
        iota_getLatestCheckpointSequenceNumber: '9',
        iota_getCheckpoint: aCheckpoint(9, hadAt + ms),
        iota_multiGetObjects: [{ error }],
      };
      node = await StandInNode.start(({ method }) => ({ result: answers[method] }));
      const unknown = [{ objectId: COIN, version: 0 }];
      expect((await readGasCoins(clientOf(node), OWNER, unknown, hadAt)).get(COIN)).toBe(expected);
      expect((await readGasCoins(clientOf(node), OWNER, unknown)).get(COIN)).toBeUndefined();
    },
  );

  it('leaves out the last transaction of a coin when the node omits it', async () => {
    node = await StandInNode.start(() => ({ result: [{ data: coin }] }));
    const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 6 }]);
    expect(coins.get(COIN)).toEqual({ objectId: COIN, version: 7, digest: 'D7', balance: 1_000n });
  });

  it('reads as many coins in a call as a node allows, in the order requested', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `0x${String(index).padStart(64, '0')}`);
    node = await StandInNode.start(({ params }) => ({
      result: (params[0] as string[]).map((objectId) => ({ data: { ...coin, objectId } })),
    }));
    const coins = await readGasCoins(
      clientOf(node),
      OWNER,
      ids.map((objectId) => ({ objectId, version: 1 })),
    );
    expect([...coins.keys()]).toEqual(ids);
    expect([...coins].every(([id, found]) => found !== 'gone' && found.objectId === id)).toBe(true);
    expect(node.calls.map(({ params }) => (params[0] as string[]).length)).toEqual([50, 50, 20]);
  });
});
