import { describe, expect, it } from '@jest/globals';
import { randomAddress, reserve, useTestStore } from '../pool.test-support.js';
import { snapshotPool } from './pool-snapshot.js';

const store = useTestStore();

describe('a snapshot of a pool', () => {
  it('finds no fault in a pool of free, reserved, small and large coins', async () => {
    const { sponsor, coins } = await store.aPool(700_000, 600_000, 50_000, 9_000_000);
    await reserve(store.redis, sponsor);
    const snapshot = await snapshotPool(store.redis, sponsor);
    expect(snapshot.faults).toEqual([]);
    expect(new Set(snapshot.coins.map(({ objectId }) => objectId))).toEqual(
      new Set(coins.map(({ objectId }) => objectId)),
    );
    expect(snapshot.coins.map(({ state }) => state).sort()).toEqual([
      'available',
      'dust',
      'reserved',
      'treasury',
    ]);
  });

  it('names a coin that is lost: known to the pool, but in no state', async () => {
    const { sponsor } = await store.aPool(700_000);
    const lost = randomAddress();
    await store.redis.sadd(`fc:{${sponsor}}:coins`, lost);
    const { faults } = await snapshotPool(store.redis, sponsor);
    expect(faults).toContain(`coin ${lost} is in the pool's set of coins but in no state`);
  });

  it('names a coin that the pool could hand out although its set of coins lacks it', async () => {
    const { sponsor, coins } = await store.aPool(700_000, 600_000);
    const stray = coins[0]!.objectId;
    await store.redis.srem(`fc:{${sponsor}}:coins`, stray);
    const { faults } = await snapshotPool(store.redis, sponsor);
    expect(faults).toContain(`coin ${stray} is available but not in the pool's set of coins`);
  });

  it('names a coin that is in two states, so that it could pay twice', async () => {
    const { sponsor, coins } = await store.aPool(50_000, 9_000_000);
    const [dust] = await store.redis.lrange(`fc:{${sponsor}}:dust`, 0, 0);
    await store.redis.zadd(`fc:{${sponsor}}:treasury`, 50_000, dust!);
    const { faults } = await snapshotPool(store.redis, sponsor);
    expect(faults).toContain(`coin ${coins[0]!.objectId} is both dust and treasury`);
  });
});
