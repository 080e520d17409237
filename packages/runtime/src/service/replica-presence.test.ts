import type { Logger } from './logger.js';
import { REPLICA_GONE_AFTER_MS, REPLICAS_KEY } from '@forecourt/contracts';
import { partial, useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { readVersion } from './run-service.js';
import { ReplicaPresence } from './replica-presence.js';
import { ReplicaIdentity } from './replica-identity.js';

const shared = useRedis((url) => new Redis(url));

const present: ReplicaPresence[] = [];
afterEach(async () => {
  for (const one of present.splice(0)) await one.beforeApplicationShutdown();
  await shared.del(REPLICAS_KEY);
});

const warnings: string[] = [];
const logger = partial<Logger>({
  warn: (_fields: unknown, message?: unknown) => void warnings.push(String(message)),
});

function aReplica(service = 'executor', version = '1.0.0-aaaaaaaaaaaa', redis = shared) {
  const identity = new ReplicaIdentity(service, version);
  const presence = new ReplicaPresence(identity, redis, logger);
  present.push(presence);
  return { identity, presence };
}

describe('ReplicaPresence', () => {
  it('lists every replica with its version and start time', async () => {
    const one = aReplica('gateway', '1.0.0-aaaaaaaaaaaa');
    const two = aReplica('executor', '1.1.0-bbbbbbbbbbbb');
    one.presence.onApplicationBootstrap();
    two.presence.onApplicationBootstrap();
    await waitUntil(async () => (await one.presence.list()).length === 2);
    const seen = await two.presence.list();
    expect(seen).toContainEqual({ ...one.identity, seenAt: expect.any(Number) });
    expect(seen).toContainEqual({ ...two.identity, seenAt: expect.any(Number) });
    expect(one.identity.id).not.toBe(two.identity.id);
  });

  it('drops a stopped replica at once, and a dead one after a delay', async () => {
    const { presence } = aReplica();
    presence.onApplicationBootstrap();
    const watching = aReplica().presence;
    await waitUntil(async () => (await watching.list()).length === 1);
    const long = Date.now() - REPLICA_GONE_AFTER_MS - 1_000;
    await shared.zadd(REPLICAS_KEY, long, JSON.stringify(new ReplicaIdentity('events', '1')));
    expect(await watching.list()).toHaveLength(1);
    await presence.beforeApplicationShutdown();
    expect(await watching.list()).toEqual([]);
    watching.onApplicationBootstrap();
    await waitUntil(async () => (await shared.zcard(REPLICAS_KEY)) === 1);
  });

  it('announces a changed state, and lists each replica once, as it was announced last', async () => {
    const { presence, identity } = aReplica('gateway');
    presence.onApplicationBootstrap();
    for (const accessVersion of ['one', 'two']) {
      presence.announceWith(() => ({ accessVersion }));
      await waitUntil(async () => (await presence.list())[0]?.accessVersion === accessVersion);
    }
    await waitUntil(async () => (await shared.zcard(REPLICAS_KEY)) === 1);
    // As a process leaves it that dies before it removes its earlier announcement.
    const { service, id, version, startedAt } = identity;
    const earlier = JSON.stringify({ service, id, version, startedAt, accessVersion: 'one' });
    await shared.zadd(REPLICAS_KEY, Date.now() - 1_000, earlier);
    expect((await presence.list()).map((one) => one.accessVersion)).toEqual(['two']);
  });

  it('leaves out malformed announcements', async () => {
    for (const text of ['', '{', '[]', '{"service":"gateway"}', '{"id":5}']) {
      await shared.zadd(REPLICAS_KEY, Date.now(), text);
    }
    expect(await aReplica().presence.list()).toEqual([]);
  });

  it('keeps a replica running that Redis does not let announce itself, and logs that once', async () => {
    const away = new Redis({ port: 1, lazyConnect: true, maxRetriesPerRequest: 0 });
    away.on('error', () => undefined);
    away.disconnect();
    const { presence } = aReplica('gateway', '1', away);
    presence.onApplicationBootstrap();
    await waitUntil(async () => warnings.length === 1);
    expect(warnings).toEqual(['Replica not announced in Redis']);
  });
});

describe('readVersion', () => {
  it('returns the first digits of the commit', () => {
    expect(readVersion('ABCDEF0123456789abcd')).toMatch(/^\d+\.\d+\.\d+-abcdef012345$/);
    expect(readVersion('')).toMatch(/-000000000000$/);
    expect(readVersion(null)).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{12}$/);
  });
});
