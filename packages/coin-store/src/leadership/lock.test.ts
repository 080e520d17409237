import { describe, expect, it } from '@jest/globals';
import { useTestStore } from '../pool.test-support.js';
import { openPool } from '../pool/open-pool.js';
import { listSponsors, registerSponsor } from '../pool/sponsors.js';
import { acquireLock } from './acquire-lock.js';
import { releaseLock } from './release-lock.js';

const store = useTestStore();

describe('locks', () => {
  it('have one owner, who may renew, until it releases them', async () => {
    const { sponsor } = await store.aPool();
    const acquire = (owner: string) => acquireLock(store.redis, sponsor, 'sweep', owner, 10_000);
    expect([await acquire('a'), await acquire('a'), await acquire('b')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await releaseLock(store.redis, sponsor, 'sweep', 'b')).toBe(false);
    expect(await releaseLock(store.redis, sponsor, 'sweep', 'a')).toBe(true);
    expect([await acquire('b'), await acquire('a')]).toEqual([true, false]);
  });
});

describe('pools', () => {
  it('belong to the network they were opened on', async () => {
    const { sponsor } = await store.aPool();
    expect(await openPool(store.redis, sponsor, 'aaaa')).toEqual({ opened: true });
    expect(await openPool(store.redis, sponsor, 'aaaa')).toEqual({ opened: true });
    expect(await openPool(store.redis, sponsor, 'bbbb')).toEqual({
      opened: false,
      belongsTo: 'aaaa',
    });
  });

  it('have sponsors with an index of their own, 64 at most', async () => {
    await store.redis.del('fc:sponsors');
    for (let i = 0; i < 64; i++) expect(await registerSponsor(store.redis, `0x${i}`)).toBe(i);
    expect(await registerSponsor(store.redis, '0x7')).toBe(7);
    await expect(registerSponsor(store.redis, '0xother')).rejects.toThrow('0xother');
    expect((await listSponsors(store.redis)).get(63)).toBe('0x63');
  });
});
