import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  claimReservations,
  endSuspension,
  findReservation,
  placementRules,
  prepareCoinStore,
  reserveGas,
} from '@forecourt/coin-store';
import type { ForecourtError } from '@forecourt/contracts';
import { type RedisServer, startRedisServer, waitUntil } from '@forecourt/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { aClaimOf, type TestPool, useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();
const viewer = { token: null, user: null };
const SHORT_MS = 3_000;

/** A transaction and its reservation, as a caller asks for them. */
type Subject = Awaited<ReturnType<typeof reserve>>;

const servers: RedisServer[] = [];
const clients: Redis[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  for (const server of servers.splice(0)) await server.stop('SIGKILL');
});

/** A coin-pool that has looked at the fleet's Redis over its own connection. */
async function aPool(): Promise<TestPool & { readonly client: Redis }> {
  const client = new Redis(fleet.server.url);
  clients.push(client);
  const funds = [50_000_000n, 50_000_000n];
  const pool = (await fleet.aPool(funds)).with({ redis: prepareCoinStore(client) });
  await pool.correction.adoptNewCoins(pool.sponsor);
  await pool.guard.check();
  return { ...pool, client };
}

async function reserve({ redis, sponsor }: TestPool, durationMs = 60_000) {
  const [reserved] = await reserveGas(redis, sponsor, [
    { caller: 'shop', gasBudget: 1_000, durationMs },
  ]);
  return {
    reservationId: reserved!.reservationId,
    digest: randomBytes(32).toString('hex'),
    caller: 'shop',
    waiter: { gateway: 'one', requestType: 'waitForEffectsCert' },
  } as const;
}

async function claim({ redis, sponsor, guard }: TestPool, subject: Subject): Promise<void> {
  const claims = [aClaimOf(subject.reservationId, subject.digest, subject)];
  const { results, watermark } = await claimReservations(redis, sponsor, claims);
  expect(results).toMatchObject([{ result: 'claimed' }]);
  guard.remember(sponsor, watermark!);
}

/** A replica with everything that the fleet's Redis holds, and nothing of what it takes later. */
async function aReplica() {
  await fleet.redis.config('SET', 'repl-diskless-sync-delay', 0);
  const server = await startRedisServer({
    settings: { replicaof: `127.0.0.1 ${fleet.server.port}` },
  });
  servers.push(server);
  const client = new Redis(server.url);
  clients.push(client);
  const isUp = async () => (await client.info('replication')).includes('master_link_status:up');
  await waitUntil(isUp, { what: 'a replica that has all data' });
  await client.replicaof('NO', 'ONE');
  const redis = prepareCoinStore(client);
  return {
    port: server.port,
    /** It reads so past its deadline. */
    async untilExpired({ sponsor }: TestPool, subject: Subject): Promise<void> {
      await waitUntil(async () => {
        const { found } = await findReservation(redis, sponsor, subject, placementRules(1n));
        return found?.state === 'expired';
      });
    },
  };
}

/** The connection breaks, and the replica answers on the next one. */
async function failOver(
  { client }: { readonly client: Redis },
  { port }: { readonly port: number },
): Promise<void> {
  client.options.port = port;
  client.disconnect(true);
  await once(client, 'ready');
}

const asks: Readonly<Record<string, (pool: TestPool, subject: Subject) => Promise<unknown>>> = {
  find: ({ reservations }, subject) => reservations.find(subject),
  release: ({ reservations }, subject) => reservations.release(subject),
  'explain the transaction': ({ inspections }, { digest }) => inspections.explain({ digest }),
  'explain the reservation': ({ inspections }, { reservationId }) =>
    inspections.explain({ reservationId }),
  'show the sponsorship': ({ sponsorships }, { digest }) => sponsorships.find({ digest, viewer }),
};

/** The code of the refusal, or the answer. */
const ask = (name: string, pool: TestPool, subject: Subject): Promise<unknown> =>
  asks[name]!(pool, subject).catch((error: unknown) => (error as ForecourtError).code);

describe('the first question after a failover to a replica', () => {
  it.each(Object.keys(asks))(
    'gets no definite answer if a reservation and its claim may be lost: %s',
    async (name) => {
      const pool = await aPool();
      const replica = await aReplica();
      const lost = await reserve(pool);
      await claim(pool, lost);
      await failOver(pool, replica);
      expect(await ask(name, pool, lost)).toBe('POOL_REFUSED');
    },
  );

  it.each([
    ['find', 60_000],
    ['release', 60_000],
    ['find', SHORT_MS],
  ])(
    'gets no definite answer if the claim of a reservation may be lost: %s, of %i ms',
    async (name, durationMs) => {
      const pool = await aPool();
      const reserved = await reserve(pool, durationMs);
      const replica = await aReplica();
      await claim(pool, reserved);
      if (durationMs === SHORT_MS) await replica.untilExpired(pool, reserved);
      await failOver(pool, replica);
      expect(await ask(name, pool, reserved)).toBe('POOL_REFUSED');
    },
  );

  it.each(['find', 'release'])(
    'gets no definite answer if the whole pool may be lost: %s',
    async (name) => {
      const replica = await aReplica();
      const pool = await aPool();
      const lost = await reserve(pool);
      await claim(pool, lost);
      await failOver(pool, replica);
      expect(await ask(name, pool, lost)).toBe('POOL_REFUSED');
    },
  );

  it('shows what the replica knows of a transaction that is bound to its reservation', async () => {
    const pool = await aPool();
    const kept = await reserve(pool);
    await claim(pool, kept);
    const replica = await aReplica();
    await claim(pool, await reserve(pool));
    await failOver(pool, replica);
    expect(await ask('find', pool, { ...kept, digest: 'another' })).toBe('POOL_REFUSED');
    expect(await ask('find', pool, kept)).toMatchObject({ found: { digest: kept.digest } });
    expect(await ask('explain the transaction', pool, kept)).toMatchObject({
      trace: { digest: kept.digest },
    });
  });

  it('is answered for good once coins are not suspended', async () => {
    const pool = await aPool();
    await claim(pool, await reserve(pool));
    const replica = await aReplica();
    const lost = await reserve(pool);
    await failOver(pool, replica);
    expect(await ask('find', pool, lost)).toBe('POOL_REFUSED');
    await waitUntil(() => endSuspension(pool.redis, pool.sponsor));
    expect(await ask('find', pool, lost)).toEqual({ found: null, everHeld: false });
    expect(await ask('release', pool, lost)).toBe('RESERVATION_UNKNOWN');
  });
});
