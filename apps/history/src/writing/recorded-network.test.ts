import { historyStreamKey, openPool } from '@forecourt/coin-store';
import { REFUSALS_KEY } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/redis';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { useTables } from '../history.test-support.js';
import { append, appendRefusal, aReplica, useStreams } from './history-writer.test-support.js';
import { networkIndicator } from './recorded-network.js';

const redis = useStreams();
const tables = useTables();
const started: ReturnType<typeof aReplica>[] = [];
beforeEach(async () => {
  await redis.flushall();
  await tables.database.pool.query('TRUNCATE network, sponsorships, refusals, entry_numbers');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ writer }) => writer.stop()));
});

async function start() {
  const replica = aReplica(redis, tables.database);
  started.push(replica);
  await replica.writer.follow();
  return replica;
}

const waiting = (sponsor: string) => redis.xlen(historyStreamKey(sponsor));
const untilNoneWaits = (sponsor: string) =>
  waitUntil(async () => (await waiting(sponsor)) === 0, { what: 'the stream to be written' });

async function count(table: 'refusals' | 'sponsorships'): Promise<number> {
  const { rows } = await tables.database.pool.query<{ count: string }>(
    `SELECT count(*) FROM ${table}`,
  );
  return Number(rows[0]!.count);
}

describe('a database with the history of a network', () => {
  beforeEach(async () => {
    await openPool(redis, '0x1', 'ours');
    await append(redis, '0x1');
    const { writer } = await start();
    await untilNoneWaits('0x1');
    await writer.stop();
  });

  it('gets nothing of a Redis of another network, says so, and goes on with the right one', async () => {
    await redis.flushall();
    await openPool(redis, '0x1', 'other');
    const entry = await append(redis, '0x1');
    await appendRefusal(redis);
    const { logged, metrics, network, writer } = await start();
    const failed = (stream: string) => `history_write_failures_total{stream="${stream}"} 2`;
    await waitUntil(async () => {
      const { text } = await metrics.expose();
      return text.includes(failed('0x1')) && text.includes(failed('refusals'));
    });
    expect(logged).toContain('History cannot be written; it is kept in Redis');
    const mismatch =
      /sponsor 0x1 belongs to network other, but the database holds the history of network ours/;
    await expect(networkIndicator(network).check()).rejects.toThrow(mismatch);
    expect([await count('sponsorships'), await count('refusals')]).toEqual([1, 0]);
    expect((await redis.xrange(historyStreamKey('0x1'), '-', '+'))[0]![0]).toBe(entry);
    await redis.set('fc:{0x1}:chain', 'ours');
    await untilNoneWaits('0x1');
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 0);
    await networkIndicator(network).check();
    expect([await count('sponsorships'), await count('refusals')]).toEqual([2, 1]);
    await writer.stop();
  });

  it('gets the sponsorships of its pools beside a pool of another network', async () => {
    await openPool(redis, '0x2', 'other');
    await append(redis, '0x2');
    await openPool(redis, '0x3', 'ours');
    await append(redis, '0x3');
    await start();
    await untilNoneWaits('0x3');
    expect([await count('sponsorships'), await waiting('0x2')]).toEqual([2, 1]);
  });

  it('misses no entry of a pool of another network that has none waiting', async () => {
    await openPool(redis, '0x2', 'other');
    await append(redis, '0x2');
    await redis.del(historyStreamKey('0x2'));
    await redis.set('fc:{0x2}:history-number', '1800000000000-7');
    const { writer, logged, network } = await start();
    await writer.countMissing();
    await network.requireAll();
    expect(logged).toEqual([]);
  });
});

it('a database without history gets that of whichever network comes first', async () => {
  await openPool(redis, '0x1', 'ours');
  const { network, writer } = await start();
  await network.requireAll();
  expect(await network.holds('0x1')).toBe(false);
  await append(redis, '0x1');
  await writer.follow();
  await untilNoneWaits('0x1');
  expect(await network.holds('0x1')).toBe(true);
});
