import { afterEach, describe, expect, it } from '@jest/globals';
import { readGasCoins } from './gas-coins.js';
import { clientOf, StandInNode } from './nodes/stand-in-node.test-support.js';

const OWNER = `0x${'5'.repeat(64)}`;
const OTHER = `0x${'6'.repeat(64)}`;
const COIN = `0x${'a'.repeat(64)}`;
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

let node: StandInNode;
afterEach(() => node.stop());

describe('reading gas coins', () => {
  it('tells which transaction has made the version that is shown', async () => {
    node = await StandInNode.start(({ params }) => {
      const [, options] = params as [unknown, { showPreviousTransaction?: boolean }];
      const coin = {
        objectId: COIN,
        version: '7',
        digest: 'D7',
        owner: { AddressOwner: OWNER },
        content: {
          dataType: 'moveObject',
          type: '0x2::coin::Coin<0x2::iota::IOTA>',
          fields: { balance: '1000' },
        },
        ...(options.showPreviousTransaction && { previousTransaction: DIGEST }),
      };
      return { result: [{ data: coin }] };
    });
    const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 6 }]);
    const shown = { objectId: COIN, version: 7, digest: 'D7', balance: 1_000n, changedBy: DIGEST };
    expect(coins.get(COIN)).toEqual(shown);
  });

  it.each<[string, string | undefined, string]>([
    ['6', undefined, 'from before it was the owner’s, by a node that lags'],
    ['8', 'gone', 'after it was the owner’s'],
  ])('that another owns at version %s is %s: %s', async (version, expected) => {
    const owner = { AddressOwner: OTHER };
    node = await StandInNode.start(() => ({ result: [{ data: { version, owner } }] }));
    const coins = await readGasCoins(clientOf(node), OWNER, [{ objectId: COIN, version: 7 }]);
    expect(coins.get(COIN)).toBe(expected);
  });
});
