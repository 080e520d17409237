import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ListSponsorsReply } from '@forecourt/contracts';
import { NetworkOfPools } from './network-of-pools.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the network that the coin-pools say their pools belong to', () => {
  it('is unknown while none says, which is asked once a second at most', async () => {
    let asked = 0;
    const replies: (() => Promise<ListSponsorsReply>)[] = [
      () => Promise.reject(new Error('no coin-pool answers')),
      // A coin-pool of the previous release.
      async () => ({ sponsors: [] }),
      async () => ({ sponsors: [], network: null }),
      async () => ({ sponsors: [], network: 'a1b2c3d4' }),
    ];
    const network = new NetworkOfPools({ listSponsors: () => replies[asked++]!() });
    const found: (string | null)[] = [];
    while (asked < replies.length) {
      found.push(await network.find(), await network.find());
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(found).toEqual([null, null, null, null, null, null, 'a1b2c3d4', 'a1b2c3d4']);
  });
});
