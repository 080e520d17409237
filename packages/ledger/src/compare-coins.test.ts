import { describe, expect, it } from '@jest/globals';
import { compareCoins } from './compare-coins.js';
import type { GasCoin } from './object-reference.js';

const coin = (objectId: string, version: number): GasCoin => ({
  objectId,
  version,
  digest: `D${version}`,
  balance: BigInt(version),
});
const coins = [coin('a', 3), coin('b', 3)];

describe('what has become of coins', () => {
  it.each<[string, [string, GasCoin | 'gone'][], object]>([
    [
      'unchanged',
      [
        ['a', coin('a', 3)],
        ['b', coin('b', 3)],
      ],
      { allShown: true, haveMoved: false, remaining: coins },
    ],
    [
      'one later',
      [
        ['a', coin('a', 9)],
        ['b', coin('b', 3)],
      ],
      { allShown: true, haveMoved: true, remaining: [coin('a', 9), coins[1]] },
    ],
    [
      'one gone',
      [
        ['a', 'gone'],
        ['b', coin('b', 3)],
      ],
      { allShown: true, haveMoved: true, remaining: [coins[1]] },
    ],
    [
      'shown older by a node that lags',
      [
        ['a', coin('a', 2)],
        ['b', coin('b', 3)],
      ],
      { allShown: true, haveMoved: false, remaining: coins },
    ],
    [
      'one not shown',
      [['b', coin('b', 3)]],
      { allShown: false, haveMoved: false, remaining: [coins[1]] },
    ],
  ])('%s', (_name, shown, expected) => {
    expect(compareCoins(coins, new Map(shown))).toEqual(expected);
  });
});
