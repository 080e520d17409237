import { randomBytes } from 'node:crypto';
import { historyStreamKey } from '@forecourt/coin-store';
import { HISTORY_BACKLOG_KEY, HISTORY_GROUP, REFUSALS_KEY } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/redis';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { useTables } from '../history.test-support.js';
import {
  anEntry,
  append,
  appendRefusal,
  aReplica,
  take,
  useStreams,
} from './history-writer.test-support.js';

const redis = useStreams();
const tables = useTables();
const started: ReturnType<typeof aReplica>[] = [];
let number = 0;
let sponsor: string;
beforeEach(() => {
  number += 1;
  sponsor = `0x${number}`;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ writer }) => writer.stop()));
});

async function start(over?: Parameters<typeof aReplica>[2]) {
  const replica = aReplica(redis, tables.database, over);
  started.push(replica);
  await replica.writer.follow();
  return replica;
}

const untilWritten = (key = historyStreamKey(sponsor)) =>
  waitUntil(async () => (await redis.xlen(key)) === 0, { what: 'the stream to be written' });

async function recorded(): Promise<{ ids: string[]; gas: string; transactions: string }> {
  const { pool } = tables.database;
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM sponsorships WHERE sponsor = $1 ORDER BY id',
    [sponsor],
  );
  const sums = await pool.query<{ gas: string; transactions: string }>(
    'SELECT sum(gas) AS gas, sum(transactions) AS transactions FROM usage_hourly WHERE sponsor = $1',
    [sponsor],
  );
  return { ids: rows.map(({ id }) => id), ...sums.rows[0]! };
}

/** Appends that many entries; returns what must be recorded of them. */
async function appendMany(count: number) {
  const entries = Array.from({ length: count }, () => anEntry());
  for (const entry of entries) await append(redis, sponsor, entry);
  return {
    ids: entries.map(({ id }) => id).sort((a, b) => Number(a) - Number(b)),
    gas: String(1_017 * count),
    transactions: String(count),
  };
}

describe('writing history', () => {
  it('moves every entry of every sponsor into the database, once', async () => {
    const expected = await appendMany(120);
    await append(redis, `${sponsor}-other`);
    await start();
    await untilWritten();
    await untilWritten(historyStreamKey(`${sponsor}-other`));
    expect(await recorded()).toEqual(expected);
    const more = await appendMany(3);
    await untilWritten();
    expect((await recorded()).ids).toEqual([...expected.ids, ...more.ids]);
  });

  it('begins with sponsors that are added later', async () => {
    const { writer } = await start();
    const expected = await appendMany(1);
    await writer.follow();
    await untilWritten();
    expect(await recorded()).toEqual(expected);
  });

  it('is shared by replicas', async () => {
    const expected = await appendMany(300);
    const replicas = await Promise.all(['a', 'b', 'c'].map((id) => start({ id, batch: 10 })));
    await untilWritten();
    expect(await recorded()).toEqual(expected);
    const shares = await Promise.all(
      replicas.map(async ({ metrics }) =>
        Number(
          new RegExp(`stream="${sponsor}",result="written"} (\\d+)`).exec(
            (await metrics.expose()).text,
          )?.[1] ?? 0,
        ),
      ),
    );
    expect(shares.reduce((sum, share) => sum + share)).toBe(300);
    expect(shares.filter((share) => share > 0).length).toBeGreaterThan(1);
  });

  it('takes over what a dead replica had read', async () => {
    const expected = await appendMany(20);
    await take(redis, sponsor, 7, 'dead');
    await start();
    await untilWritten();
    expect(await recorded()).toEqual(expected);
  });

  it('counts nothing again that a replica wrote before it died', async () => {
    const expected = await appendMany(20);
    await take(redis, sponsor, 7, 'dead');
    const { records } = aReplica(redis, tables.database);
    const found = await redis.xrange(historyStreamKey(sponsor), '-', '+', 'COUNT', 7);
    const taken = found.map(([id, pairs]) => ({ id, pairs }));
    await records.writeSponsorships(sponsor, taken);
    const { metrics } = await start();
    await untilWritten();
    expect(await recorded()).toEqual(expected);
    const { text } = await metrics.expose();
    expect(text).toContain(`{stream="${sponsor}",result="repeated"} 7`);
    expect(text).toContain(`{stream="${sponsor}",result="written"} 13`);
  });

  it('continues with its own unfinished entries after an answer was lost', async () => {
    const expected = await appendMany(20);
    await take(redis, sponsor, 7, 'replica-1');
    await start({ claimAfterMs: 3_600_000 });
    await untilWritten();
    expect(await recorded()).toEqual(expected);
  });

  it('goes on after Redis has lost everything', async () => {
    await appendMany(1);
    await start();
    await untilWritten();
    await redis.flushall();
    const more = await appendMany(2);
    await untilWritten();
    expect((await recorded()).ids).toEqual(expect.arrayContaining(more.ids));
  });

  it('switches recording on with its backlog, and off with a backlog of 0', async () => {
    await aReplica(redis, tables.database, { backlog: 5 }).writer.announce();
    expect(await redis.get(HISTORY_BACKLOG_KEY)).toBe('5');
    await aReplica(redis, tables.database, { backlog: 0 }).writer.announce();
    expect(await redis.get(HISTORY_BACKLOG_KEY)).toBe('off');
  });

  it('removes readers that have ended and left nothing behind', async () => {
    const expected = await appendMany(2);
    await take(redis, sponsor, 1, 'dead');
    const key = historyStreamKey(sponsor);
    await redis.xgroup('CREATECONSUMER', key, HISTORY_GROUP, 'ended');
    await start({ claimAfterMs: 20 });
    await untilWritten();
    const readers = () => redis.xinfo('CONSUMERS', key, HISTORY_GROUP) as Promise<string[][]>;
    await waitUntil(async () => !/dead|ended/.test(String(await readers())));
    expect(await recorded()).toEqual(expected);
  });
});

describe('an entry that cannot be written', () => {
  const broken = async () => {
    const { rows } = await tables.database.pool.query(
      'SELECT entry, problem FROM broken_entries WHERE stream = $1 ORDER BY entry',
      [sponsor],
    );
    return rows as { entry: string; problem: string }[];
  };

  it('is kept and counted, and does not block others', async () => {
    const unreadable = await append(redis, sponsor, { v: '1', id: 'seven' });
    const expected = await appendMany(5);
    const future = await append(redis, sponsor, anEntry({ id: '8000000000000000' }));
    const { metrics } = await start();
    await untilWritten();
    expect((await recorded()).ids).toEqual(expected.ids);
    expect(await broken()).toEqual([
      { entry: unreadable, problem: expect.stringContaining('id cannot be read') },
      { entry: future, problem: expect.stringContaining('one of the future') },
    ]);
    expect((await metrics.expose()).text).toContain(`{stream="${sponsor}",result="broken"} 2`);
  });

  it('is found among others if the database refuses it', async () => {
    const expected = await appendMany(9);
    const refused = await append(redis, sponsor, anEntry({ budget: '9'.repeat(200_000) }));
    await start();
    await untilWritten();
    expect((await recorded()).ids).toEqual(expected.ids);
    expect(await broken()).toEqual([{ entry: refused, problem: expect.any(String) }]);
  });

  it('is found among others if its text is too long for an index', async () => {
    const expected = await appendMany(2);
    const text = randomBytes(8_192).toString('hex');
    const refused = await append(redis, sponsor, anEntry({ caller: text }));
    await start();
    await untilWritten();
    expect((await recorded()).ids).toEqual(expected.ids);
    expect(await broken()).toEqual([{ entry: refused, problem: expect.stringMatching(/index/) }]);
  });

  it('is left to a later release if it is of one', async () => {
    const later = await append(redis, sponsor, { v: '2' });
    const expected = await appendMany(2);
    await start();
    await waitUntil(async () => (await redis.xlen(historyStreamKey(sponsor))) === 1);
    expect(await recorded()).toEqual(expected);
    const left = await redis.xrange(historyStreamKey(sponsor), '-', '+');
    expect(left).toEqual([[later, expect.any(Array)]]);
    expect(await broken()).toEqual([]);
  });

  it('may hold any text', async () => {
    const text = 'a\0b\tc\\d"e{,}\n\r\u{1f600}\ud800';
    await append(redis, sponsor, anEntry({ caller: text.replace(/[:\t\n]/g, ''), rule: 'r\\\\x' }));
    await start();
    await untilWritten();
    const { rows } = await tables.database.pool.query<{ token: string; rule: string }>(
      'SELECT token, rule FROM sponsorships WHERE sponsor = $1',
      [sponsor],
    );
    expect(rows).toEqual([{ token: 'a\ufffdbc\\d"e{,}\r\u{1f600}\ufffd', rule: 'r\\x' }]);
  });
});

describe('refused requests', () => {
  it('are written once, with the reservation that they name', async () => {
    const { id } = anEntry();
    const first = await appendRefusal(redis, { token: sponsor, reservation: id });
    await appendRefusal(redis, { token: sponsor, reservation: '7' });
    await start();
    await untilWritten(REFUSALS_KEY);
    const { pool } = tables.database;
    const { rows } = await pool.query<{ at: number; reservation: string }>(
      'SELECT created_at AS at, reservation FROM refusals WHERE token = $1 ORDER BY id',
      [sponsor],
    );
    expect(rows.map(({ reservation }) => reservation)).toEqual([id, '7']);
    expect(rows[0]!.at).toBe(Number.parseInt(first, 10));
    const errors = await pool.query('SELECT code, id FROM sponsorship_errors WHERE token = $1', [
      sponsor,
    ]);
    expect(errors.rows).toEqual([{ code: 'FORBIDDEN', id }]);
  });
});
