import type { ErrorMessage, RefusalPage, Sponsorship, UsageReport } from '@forecourt/contracts';
import { historyPatterns } from '@forecourt/contracts';
import { prepareCoinStore } from '@forecourt/coin-store';
import { Service } from '@forecourt/runtime/service';
import { createMessageClient, createMessageServer } from '@forecourt/runtime/transport';
import { useStarted } from '@forecourt/testing/jest';
import { startTestPostgres } from '@forecourt/testing/postgres';
import { freePort, startRedisServer, waitUntil } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { firstValueFrom } from 'rxjs';
import { historyService } from './history-service.js';
import { everybody } from './history.test-support.js';
import { anEntry, append, appendRefusal } from './writing/history-writer.test-support.js';

/** History with a Redis and a PostgreSQL; the database does not answer at first. */
async function startHistory() {
  const redisServer = await startRedisServer({ appendfsync: 'no' });
  const redis = prepareCoinStore(new Redis(redisServer.url));
  const postgres = await startTestPostgres();
  await postgres.server.stop();
  const endpoint = { host: '127.0.0.1', port: await freePort(), fleetSecrets: [] };
  const client = createMessageClient(endpoint);
  const definition = historyService(
    {
      DATABASE_URL: postgres.server.url,
      REDIS_URL: redisServer.url,
      ALLOW_UNAUTHENTICATED_FLEET: 'true',
      HISTORY_HEALTH_PORT: String(await freePort()),
      HISTORY_BACKLOG: '77',
    },
    createMessageServer(endpoint),
  );
  const { create } = definition.configure();
  const service = new Service({ name: 'history', logLevel: 'error', version: '1' });
  const { app, ...options } = await create(service);
  await service.listen(app, options);
  return {
    redis,
    postgres,
    url: await app.getUrl(),
    send: <T>(pattern: object, message: object) => firstValueFrom(client.send<T>(pattern, message)),
    async stop() {
      client.close();
      await app.close();
      redis.disconnect();
      await postgres.stop();
      await redisServer.stop();
    },
  };
}

const history = useStarted(startHistory, (started) => started.stop());
const statusOf = async (path: string) => (await fetch(`${history.url}/health/${path}`)).status;

describe('the service', () => {
  it('has streams kept while the database is away, and is not ready', async () => {
    await waitUntil(async () => (await history.redis.get('fc:refusals-backlog')) === '77');
    expect([await statusOf('live'), await statusOf('ready')]).toEqual([200, 503]);
    const find = history.send(historyPatterns.findSponsorship, {
      viewer: everybody,
      reservationId: 7,
    });
    const error: Partial<ErrorMessage> = { code: 'HISTORY_UNREACHABLE', detail: '' };
    await expect(find).rejects.toMatchObject(error);
  });

  it('writes what the streams hold once the database answers', async () => {
    const entry = anEntry();
    await append(history.redis, '0x5', entry);
    await appendRefusal(history.redis, { reservation: entry.id, code: 'FORBIDDEN' });
    await history.redis.hset('fc:refusals-dropped', { 'FORBIDDEN|shop': 3, 'FORBIDDEN|game': 2 });
    await history.postgres.server.start();
    const find = async () => {
      const { sponsorship } = await history.send<{ sponsorship: Sponsorship | null }>(
        historyPatterns.findSponsorship,
        { viewer: { token: 'shop', user: null }, reservationId: Number(entry.id) },
      );
      return sponsorship;
    };
    await waitUntil(async () => (await statusOf('ready')) === 200, { what: 'readiness' });
    await waitUntil(async () => (await find())?.refusals.length === 1, { what: 'the records' });
    expect(await find()).toMatchObject({
      reservation_id: Number(entry.id),
      refusals: [{ code: 'FORBIDDEN', status: 403, message: 'no', digest: null }],
      gas: { computation: '1000', storage: '20', rebate: '3', net: '1017', counted: '1017' },
    });
    expect([await statusOf('ready'), await statusOf('dependencies')]).toEqual([200, 200]);
    const list = await history.send(historyPatterns.listSponsorships, {
      viewer: everybody,
      filters: { error: 'FORBIDDEN' },
      limit: 10,
    });
    expect(list).toMatchObject({ data: [{ refusals: [{ code: 'FORBIDDEN' }] }], next: null });
  });

  it('counts refused requests that were only counted', async () => {
    const refusals = (viewer: object) =>
      history.send<RefusalPage>(historyPatterns.listRefusals, { viewer, filters: {}, limit: 10 });
    await waitUntil(async () => (await refusals(everybody)).dropped.length === 2);
    await history.redis.hincrby('fc:refusals-dropped', 'FORBIDDEN|shop', 4);
    const shop = { token: 'shop', user: null };
    await waitUntil(async () => (await refusals(shop)).dropped[0]?.requests === 7);
    expect((await refusals(shop)).dropped).toEqual([
      { token: 'shop', code: 'FORBIDDEN', requests: 7 },
    ]);
    expect((await refusals({ token: 'shop', user: '0xa' })).dropped).toEqual([]);
    const usageBy = async (groupBy: string) => {
      const message = { viewer: everybody, filters: {}, groupBy: [groupBy], from: 0 };
      const sent = { ...message, to: Date.now() };
      return (await history.send<UsageReport>(historyPatterns.sumUsage, sent)).rows;
    };
    expect(await usageBy('code')).toEqual([
      { code: 'FORBIDDEN', transactions: 0, failed: 0, refused: 10, gas: '0' },
    ]);
    expect(await usageBy('token')).toEqual([
      { token: 'game', transactions: 0, failed: 0, refused: 2, gas: '0' },
      { token: 'shop', transactions: 1, failed: 0, refused: 8, gas: '1017' },
    ]);
  });

  it.each([
    ['a viewer without a token', { viewer: { user: null }, filters: {}, limit: 1 }, 'viewer.token'],
    ['no viewer', { filters: {}, limit: 1 }, 'viewer must be an object'],
    [
      'a limit of 1001',
      { viewer: everybody, filters: {}, limit: 1001 },
      'limit must be an integer',
    ],
    ['a time in text', { viewer: everybody, filters: { from: '1' }, limit: 1 }, 'filters.from'],
  ])('refuses %s', async (_name, message, problem) => {
    const list = history.send(historyPatterns.listSponsorships, message);
    const detail: unknown = expect.stringContaining(problem);
    await expect(list).rejects.toMatchObject({ code: 'INVALID_REQUEST', detail });
  });

  it('shows backlog, lag, dropped entries and the days ahead', async () => {
    const text = await (await fetch(`${history.url}/metrics`)).text();
    for (const line of [
      'history_backlog_entries{stream="0x5"} 0',
      'history_lag_seconds{stream="refusals"} 0',
      'history_dropped_total{stream="refusals"} 9',
      'history_dropped_total{stream="0x5"} 0',
      'history_days_ahead 7',
      'history_backlog_used_ratio{stream="0x5"} 0',
      'history_backlog_used_ratio{stream="refusals"} ',
      'history_broken_entries 0',
      'webhook_waiting_deliveries 0',
      'history_entries_total{stream="0x5",result="written"} 1',
    ]) {
      expect(text).toContain(`forecourt_${line}`);
    }
  });
});
