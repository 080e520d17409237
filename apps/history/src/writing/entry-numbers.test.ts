import { historyStreamKey } from '@forecourt/coin-store';
import { HISTORY_GROUP } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/redis';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTables } from '../history.test-support.js';
import { fieldOf, sourceOfSponsorships, type StreamEntry } from './entry-source.js';
import { anEntry, append, aReplica, useStreams } from './history-writer.test-support.js';

const redis = useStreams();
const tables = useTables();
const sponsor = '0x5';
const stream = historyStreamKey(sponsor);
const ERA = 1_800_000_000_000;

beforeEach(async () => {
  await redis.flushall();
  await tables.database.pool.query('TRUNCATE entry_numbers, broken_entries');
});

/** Appends entries with these numbers, as a pool does. */
async function appendNumbered(numbers: readonly number[], era = ERA): Promise<void> {
  for (const number of numbers) {
    const n = `${era}-${number}`;
    await append(redis, sponsor, { ...anEntry({ digest: '' }), n } as object);
    await redis.set(`fc:{${sponsor}}:history-number`, n);
  }
}

/** Deletes the entries with these numbers, like a process that trims the stream. */
const lose = (...numbers: number[]) =>
  deleteEntries(({ pairs }) => numbers.includes(Number(fieldOf(pairs, 'n').split('-')[1])));

async function deleteEntries(isLost: (entry: StreamEntry) => boolean): Promise<void> {
  const entries = await redis.xrange(stream, '-', '+');
  const lost = entries.map(([id, pairs]) => ({ id, pairs })).filter(isLost);
  await redis.xdel(stream, ...lost.map(({ id }) => id));
}

/** Has a replica write some entries of the stream, and delete them; absent: all. */
async function write(numbers?: readonly number[]): Promise<void> {
  const isWritten = ({ pairs }: StreamEntry) =>
    numbers === undefined || numbers.includes(Number(fieldOf(pairs, 'n').split('-')[1]));
  const entries = await redis.xrange(stream, '-', '+');
  const some = entries.map(([id, pairs]) => ({ id, pairs })).filter(isWritten);
  const { records } = aReplica(redis, tables.database);
  const { done } = await records.writeSponsorships(sponsor, some);
  await redis.xdel(stream, ...done.map(({ id }) => id));
}

/** Looks for missing entries; how many have been found in all. */
async function missing(): Promise<number> {
  const { writer, logged } = aReplica(redis, tables.database);
  await writer.countMissing();
  const { rows } = await tables.database.pool.query<{ sum: string | null }>(
    'SELECT sum(missing) FROM entry_numbers',
  );
  expect(logged.every((line) => line === 'Entries of history are missing')).toBe(true);
  return Number(rows[0]!.sum ?? 0);
}

describe('entries that are deleted before they are written', () => {
  it('are counted once, whether others are written before or after them', async () => {
    await appendNumbered([1, 2, 3, 4, 5, 6]);
    await lose(2, 5, 6);
    expect(await missing()).toBe(0);
    await write([1]);
    expect(await missing()).toBe(1);
    await write();
    expect([await missing(), await missing()]).toEqual([3, 3]);
    await appendNumbered([7, 8]);
    await write();
    expect(await missing()).toBe(3);
  });

  it('are counted when none was ever written, and nothing follows', async () => {
    await appendNumbered([1, 2, 3]);
    await redis.del(stream);
    expect([await missing(), await missing()]).toEqual([3, 3]);
  });

  it('are not those that another replica has not written yet, or that cannot be read', async () => {
    await appendNumbered([1, 2, 3, 4]);
    await redis.xgroup('CREATE', stream, HISTORY_GROUP, '0');
    await redis.xreadgroup('GROUP', HISTORY_GROUP, 'slow', 'COUNT', 1, 'STREAMS', stream, '>');
    await write([3, 4]);
    expect(await missing()).toBe(0);
    await write();
    expect(await missing()).toBe(0);
    await append(redis, sponsor, { ...anEntry({ coins: 'broken' }), n: `${ERA}-5` } as object);
    await redis.set(`fc:{${sponsor}}:history-number`, `${ERA}-5`);
    await write();
    expect(await missing()).toBe(0);
  });

  it('are looked for beside a replica of this release', async () => {
    await appendNumbered([1, 2, 3]);
    const source = sourceOfSponsorships(redis, sponsor, 'replica', { batch: 1, claimAfterMs: 1 });
    while ((await source.read()).length === 0);
    source.close();
    await lose(2);
    await write();
    expect(await missing()).toBe(1);
  });

  it('are counted once by replicas that look for them at the same time', async () => {
    await appendNumbered([1, 2, 3]);
    await write([1]);
    await lose(2);
    const { pool, readers } = tables.database;
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM entry_numbers FOR UPDATE');
    const counted = Promise.all([missing(), missing()]);
    await waitUntil(async () => {
      const { rows } = await readers.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length === 2;
    });
    await client.query('COMMIT');
    client.release();
    await counted;
    expect(await missing()).toBe(1);
  });

  it('are found in the era before, up to the last number that is known of it', async () => {
    await appendNumbered([1, 2, 3, 4, 5]);
    await lose(2, 5);
    await write();
    await appendNumbered([1, 2], ERA + 9);
    expect(await missing()).toBe(1);
    await write([2]);
    await lose(1);
    expect(await missing()).toBe(2);
  });
});
