import { historyStreamKey } from '@forecourt/coin-store';
import { createDatabase, databaseUrl } from '@forecourt/postgres';
import { useStarted } from '@forecourt/testing/jest';
import { startTestPostgres } from '@forecourt/testing/postgres';
import { waitUntil } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { type Database, migrate } from '../database/database.js';
import { openDatabase } from '../history.test-support.js';
import { backUpDatabase } from './database-backup.test-support.js';
import { anEntry, append, aReplica, useStreams } from './history-writer.test-support.js';

const postgres = useStarted(startTestPostgres, (started) => started.stop());
const redis = useStreams();

const SPONSOR = '0x5';

/** Appends entries, and returns their reservations. */
async function appendSome(count: number): Promise<string[]> {
  const entries = Array.from({ length: count }, () => anEntry());
  for (const entry of entries) await append(redis, SPONSOR, entry);
  return entries.map(({ id }) => id);
}

/** Starts history with a database, lets it write what Redis holds, and stops it. */
async function writeAll(url: string): Promise<void> {
  const database = openDatabase(url);
  await migrate(database);
  const { writer } = aReplica(redis, database);
  await writer.follow();
  const left = () => redis.xlen(historyStreamKey(SPONSOR));
  await waitUntil(async () => (await left()) === 0, { what: 'everything to be written' });
  await writer.stop();
  await database.close();
}

/** Commits what Redis holds without acknowledging it, as a replica does that dies then. */
async function writeAndDie(database: Database): Promise<void> {
  const found = await redis.xrange(historyStreamKey(SPONSOR), '-', '+');
  const entries = found.map(([id, pairs]) => ({ id, pairs }));
  await aReplica(redis, database).records.writeSponsorships(SPONSOR, entries);
}

async function recordedIn(url: string) {
  const database = openDatabase(url);
  const { pool } = database;
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM sponsorships ORDER BY id');
  const usage = await pool.query<{ transactions: string }>(
    'SELECT sum(transactions) AS transactions FROM usage_hourly',
  );
  await database.close();
  return { ids: rows.map(({ id }) => id), counted: Number(usage.rows[0]!.transactions) };
}

describe('a database that is restored from a backup', () => {
  it('gets what Redis still holds, once, and lacks only what was written after the backup', async () => {
    const admin = postgres.server.url;
    await createDatabase(admin, 'records');
    const url = databaseUrl(admin, 'records');
    const kept = await appendSome(3);
    await writeAll(url);
    // Redis and the backup both have this one.
    kept.push(...(await appendSome(1)));
    const database = openDatabase(url);
    await writeAndDie(database);
    await database.close();

    const backup = await backUpDatabase(url, admin);
    const restored = await backup.restore('restored');
    expect(await recordedIn(restored)).toEqual({ ids: kept, counted: kept.length });
    kept.push(...(await appendSome(2)));
    await writeAll(restored);
    expect(await recordedIn(restored)).toEqual({ ids: kept, counted: kept.length });

    // Redis has nothing more of what was written after the backup.
    const again = await backup.restore('restored_again');
    const later = [...kept.slice(0, 4), ...(await appendSome(1))];
    await writeAll(again);
    expect(await recordedIn(again)).toEqual({ ids: later, counted: later.length });
    backup.remove();
  });
});
