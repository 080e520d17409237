import { describe, expect, it } from '@jest/globals';
import { randomAddress, useTestStore } from '../pool.test-support.js';
import { openPool, readNetwork } from './stored-version.js';

const store = useTestStore();

describe('the network of the pools', () => {
  it('is that of the first sponsor with a pool; null where none has one', async () => {
    const [withoutPool, sponsor, other] = [randomAddress(), randomAddress(), randomAddress()];
    expect(await readNetwork(store.redis, [withoutPool, sponsor])).toBeNull();
    await openPool(store.redis, sponsor, 'aaaa');
    await openPool(store.redis, other, 'bbbb');
    expect(await readNetwork(store.redis, [withoutPool, sponsor, other])).toBe('aaaa');
    expect(await readNetwork(store.redis, [])).toBeNull();
  });
});
