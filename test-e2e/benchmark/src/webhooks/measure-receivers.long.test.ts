import { afterAll, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import { Database, migrate } from '@forecourt/history/database';
import { TemporaryFolder, usePostgres, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { percentile } from '../row.js';
import { measureReceivers } from './measure-receivers.js';

const postgres = usePostgres();
const redis = useRedis((url) => prepareCoinStore(new Redis(url)));
const folder = new TemporaryFolder();
afterAll(() => folder.remove());

it('delivers to receivers that answer while others hang, fail or redirect to loopback', async () => {
  const database = new Database({ databaseUrl: postgres.url, databaseConnections: 5 });
  await migrate(database);
  const { host, port } = (redis as unknown as Redis).options;
  const measured = await measureReceivers({
    size: { receives: 70, hangs: 10, fails: 10, redirects: 10 },
    events: 3,
    database,
    redis,
    redisUrl: `redis://${host}:${port}`,
    writeTokens: (text) => folder.write('tokens.yaml', text),
  });
  await database.close();
  expect(measured.latencies.length).toBe(210);
  expect(percentile(measured.latencies, 0.99)).toBeLessThan(5_000);
  expect(measured.listedFailures).toBeGreaterThanOrEqual(30);
  expect(measured.redelivered).toBe(measured.listedFailures);
  expect(measured.redirected).toBe(0);
});
