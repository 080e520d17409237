import { describe, expect, it } from '@jest/globals';
import { compareCoins } from './coins.js';
import type { ShownCoin } from './object-reference.js';

const coin = (objectId: string, version: number): ShownCoin => ({
  objectId,
  version,
  digest: `D${version}`,
  balance: BigInt(version),
  changedBy: `T${version}`,
});
const coins = [coin('a', 3), coin('b', 3)];

describe('compareCoins', () => {
  it.each<[string, [string, ShownCoin | 'gone'][], object]>([
    [
      'unchanged',
      [
        ['a', coin('a', 3)],
        ['b', coin('b', 3)],
      ],
      {
        allShown: true,
        haveMoved: false,
        movedBy: new Set(),
        remaining: coins,
        moved: [],
        unmoved: coins,
      },
    ],
    [
      'one later',
      [
        ['a', coin('a', 9)],
        ['b', coin('b', 3)],
      ],
      {
        allShown: true,
        haveMoved: true,
        movedBy: new Set(['T9']),
        remaining: [coin('a', 9), coins[1]],
        moved: [coins[0]],
        unmoved: [coins[1]],
      },
    ],
    [
      'one gone',
      [
        ['a', 'gone'],
        ['b', coin('b', 3)],
      ],
      {
        allShown: true,
        haveMoved: true,
        movedBy: new Set(),
        remaining: [coins[1]],
        moved: [coins[0]],
        unmoved: [coins[1]],
      },
    ],
    [
      'shown older by a node that lags',
      [
        ['a', coin('a', 2)],
        ['b', coin('b', 3)],
      ],
      {
        allShown: true,
        haveMoved: false,
        movedBy: new Set(),
        remaining: coins,
        moved: [],
        unmoved: coins,
      },
    ],
    [
      'one not shown',
      [['b', coin('b', 3)]],
      {
        allShown: false,
        haveMoved: false,
        movedBy: new Set(),
        remaining: [coins[1]],
        moved: [],
        unmoved: [coins[1]],
      },
    ],
  ])('compares coins with those shown: %s', (_name, nodeCoins, expected) => {
    expect(compareCoins(coins, new Map(nodeCoins))).toEqual(expected);
  });
});
