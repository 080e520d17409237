import { useStarted } from '@forecourt/testing/jest';
import { startRedisServer, waitUntil, only } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { claim, reserve, retentionMs, type TestStore, useTestStore } from '../pool.test-support.js';
import { checkRedisRestart } from '../pool/suspension.js';
import { releaseClaim } from '../reservations/release-reservations.js';
import { prepareCoinStore } from '../scripts/prepare-coin-store.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';
import { beginExecutions } from './begin-executions.js';
import { refuseExecution } from './unsettled-executions.js';

const store = useTestStore();
const second = useStarted(
  async () => {
    const server = await startRedisServer({ appendfsync: 'no' });
    return { server, redis: prepareCoinStore(new Redis(server.url)) };
  },
  async ({ server, redis }) => {
    redis.disconnect();
    await server.stop('SIGKILL');
  },
);

type Server = Pick<TestStore, 'redis' | 'server'>;

/** `to` has all data of `from`, and none of its later writes. */
async function copyTo(to: Server, from: Server): Promise<void> {
  // Neither the copy nor the end waits.
  await from.redis.config('SET', 'repl-diskless-sync-delay', '0', 'shutdown-timeout', '0');
  await to.redis.replicaof('127.0.0.1', from.server.port);
  await waitUntil(async () =>
    (await to.redis.info('replication')).includes('master_link_status:up'),
  );
  await to.redis.replicaof('NO', 'ONE');
}

/** A coin-pool with the highest watermark looks at its server. */
async function look(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const info = await redis.info();
  const read = (name: string) => new RegExp(`${name}:(\\w+)`).exec(info)![1]!;
  const from = read('master_replid2');
  await checkRedisRestart(redis, sponsor, {
    runId: read('run_id'),
    promotedFrom: /^0*$/.test(from) ? '' : from,
    mayForget: false,
    holdMs: 1,
    witness: 'one',
    watermark: Number(await redis.get(`fc:{${sponsor}}:watermark`)),
    others: [],
  });
}

async function aClaim(redis: CoinStoreRedis, sponsor: string, leaseMs?: number) {
  const { reservationId } = await reserve(redis, sponsor);
  const fence = await claim(redis, sponsor, reservationId, 'D1', leaseMs);
  return { reservationId, digest: 'D1', fence };
}

/** Begins a claim, and has it refused. */
async function beginAndRefuse(
  redis: CoinStoreRedis,
  sponsor: string,
  job: Awaited<ReturnType<typeof aClaim>>,
) {
  const begun = await only(beginExecutions(redis, sponsor, 'two', [job]));
  const { refused } = await refuseExecution(redis, sponsor, { ...job, message: 'no', retentionMs });
  return { resumed: begun?.resumed, refused };
}

describe('a claim that was begun on another server of Redis', () => {
  it.each([
    ['before a coin-pool has looked at the server', false],
    ['after a coin-pool has found its claims there', true],
  ])(
    'is begun on a replica as the second time, so that no refusal is final: %s',
    async (_when, looks) => {
      const { sponsor } = await store.aPool(700_000, 700_000);
      await look(store.redis, sponsor);
      const job = await aClaim(store.redis, sponsor);
      await copyTo(second, store);
      await only(beginExecutions(store.redis, sponsor, 'one', [job]));
      if (looks) await look(second.redis, sponsor);
      const begun = await beginAndRefuse(second.redis, sponsor, job);
      expect(begun).toEqual({ resumed: true, refused: false });
      await look(second.redis, sponsor);
      const later = await aClaim(second.redis, sponsor);
      const first = await beginAndRefuse(second.redis, sponsor, later);
      expect(first).toEqual({ resumed: false, refused: true });
    },
  );

  it.each([false, true])(
    'is begun likewise after a failback to the first server, which keeps its run id (a coin-pool has looked: %s)',
    async (looks) => {
      const { sponsor } = await store.aPool(700_000);
      await look(store.redis, sponsor);
      await copyTo(second, store);
      await look(second.redis, sponsor);
      await copyTo(store, second);
      await look(store.redis, sponsor);
      await copyTo(second, store);
      await look(second.redis, sponsor);
      const job = await aClaim(second.redis, sponsor);
      await copyTo(store, second);
      await only(beginExecutions(second.redis, sponsor, 'one', [job]));
      if (looks) await look(store.redis, sponsor);
      const begun = await beginAndRefuse(store.redis, sponsor, job);
      expect(begun).toEqual({ resumed: true, refused: false });
    },
  );

  it.each([false, true])(
    'is not released on a replica without a job (a coin-pool has looked: %s)',
    async (looks) => {
      const { sponsor } = await store.aPool(700_000);
      await look(store.redis, sponsor);
      const job = await aClaim(store.redis, sponsor, 0);
      await copyTo(second, store);
      await only(beginExecutions(store.redis, sponsor, 'one', [job]));
      if (looks) await look(second.redis, sponsor);
      const release = { ...job, retentionMs };
      expect(await releaseClaim(second.redis, sponsor, release)).toBe('begun');
      expect(await releaseClaim(second.redis, sponsor, { ...release, fence: 7 })).toBe('changed');
    },
  );
});
