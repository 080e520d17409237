import { historyStreamKey } from '@forecourt/coin-store';
import { startTestPostgres } from '@forecourt/testing/postgres';
import { useStarted } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/redis';
import { afterAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../database/database.js';
import { openDatabase } from '../history.test-support.js';
import { anEntry, append, aReplica, useStreams } from './history-writer.test-support.js';

const postgres = useStarted(startTestPostgres, (started) => started.stop());
const redis = useStreams();
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

const SPONSOR = '0x5';

describe('an outage of PostgreSQL', () => {
  it('loses and doubles nothing, whenever it begins; Redis keeps what is new', async () => {
    const { server } = postgres;
    const database = openDatabase(server.url);
    await migrate(database);
    const { writer, logged, metrics } = aReplica(redis, database, { batch: 7 });
    ends.push(
      () => writer.stop(),
      () => database.close(),
    );
    const written: string[] = [];
    const appendSome = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const entry = anEntry();
        written.push(entry.id);
        await append(redis, SPONSOR, entry);
      }
    };
    const left = () => redis.xlen(historyStreamKey(SPONSOR));
    await appendSome(30);
    await writer.follow();
    for (const signal of ['SIGQUIT', 'SIGINT', 'SIGKILL'] as const) {
      await waitUntil(async () => (await left()) < 20, { what: 'some entries to be written' });
      server.kill(signal);
      await server.stop();
      await appendSome(30);
      const kept = await left();
      expect(kept).toBeGreaterThanOrEqual(30);
      await waitUntil(
        async () => logged.at(-1) === 'History cannot be written; it is kept in Redis',
      );
      await server.start();
    }
    await waitUntil(async () => (await left()) === 0, { what: 'everything to be written' });
    const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM sponsorships');
    expect(rows.map(({ id }) => id).sort()).toEqual(written.sort());
    const sums = await database.pool.query(
      'SELECT sum(transactions) AS transactions, sum(gas) AS gas FROM usage_hourly',
    );
    const { length } = written;
    expect(sums.rows).toEqual([{ transactions: String(length), gas: String(1_017 * length) }]);
    expect(logged.at(-1)).toBe('History is written again');
    expect((await metrics.expose()).text).toMatch(/write_failures_total{stream="0x5"} [1-9]/);
  });
});
