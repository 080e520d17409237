import { describe, expect, it } from '@jest/globals';
import type { Ledger } from '@forecourt/ledger';
import { randomAddress, useTestStore } from '../pool.test-support.js';
import {
  openPool,
  READABLE_VERSION,
  readNetwork,
  readStoredVersion,
  WRITTEN_VERSION,
} from './stored-version.js';
import { PoolTooNew } from './pool-too-new.js';
import { auditPool } from '../upkeep/pool-audit.js';

const store = useTestStore();
const CHAIN = 'aaaa';
const NEWER = READABLE_VERSION + 1;

const versionKey = (sponsor: string) => `fc:{${sponsor}}:version`;

describe('the version in which a pool is stored', () => {
  it('is written when this release opens the pool', async () => {
    const sponsor = randomAddress();
    expect(await readStoredVersion(store.redis, sponsor)).toBe(1);
    await openPool(store.redis, sponsor, CHAIN);
    expect(await store.redis.get(versionKey(sponsor))).toBe(String(WRITTEN_VERSION));
    expect(await readStoredVersion(store.redis, sponsor)).toBe(WRITTEN_VERSION);
  });

  it('prevents a release that does not read it from opening the pool; the error names both versions', async () => {
    const sponsor = randomAddress();
    await openPool(store.redis, sponsor, CHAIN);
    await store.redis.set(versionKey(sponsor), NEWER);
    const refused = await openPool(store.redis, sponsor, CHAIN).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PoolTooNew);
    expect((refused as Error).message).toContain(
      `stored in version ${NEWER}, but this release reads versions up to ${READABLE_VERSION}`,
    );
    expect(await store.redis.get(versionKey(sponsor))).toBe(String(NEWER));
  });

  it('prevents an audit by a release that does not read it', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    await store.redis.set(versionKey(sponsor), NEWER);
    await expect(auditPool(store.redis, {} as Ledger, sponsor)).rejects.toBeInstanceOf(PoolTooNew);
  });

  it('stays untouched in a pool of another network, which is reported first', async () => {
    const sponsor = randomAddress();
    await openPool(store.redis, sponsor, CHAIN);
    await store.redis.del(versionKey(sponsor));
    expect(await openPool(store.redis, sponsor, 'bbbb')).toEqual({
      opened: false,
      belongsTo: CHAIN,
    });
    expect(await store.redis.exists(versionKey(sponsor))).toBe(0);
  });
});

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
