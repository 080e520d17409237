import { historyStreamKey, prepareCoinStore, registerSponsor } from '@forecourt/coin-store';
import { type EndedSponsorship, HISTORY_GROUP } from '@forecourt/contracts';
import { type Database, Partitions } from '@forecourt/history/database';
import { RecordWriter } from '@forecourt/history/writing';
import { createIotaCodec } from '@forecourt/ledger';
import { firstReservationAt } from '@forecourt/sponsorship';
import { partial, startRedisServer } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import type { Row } from '../row.js';
import { address, sampleTransaction } from '../samples.js';

/** Twice the rate of `npm run bench`, sponsored transactions a second. */
type Outbox = ConstructorParameters<typeof RecordWriter>[3];

const TARGET = 2 * 600;
const BATCH = 1_000;
const SPONSOR = address(800_000);

/** Moves entries from a stream into the filled database: reads, decodes, writes, acknowledges. */
export async function benchWriting(database: Database, entries: number): Promise<Row> {
  const server = await startRedisServer();
  const redis = prepareCoinStore(new Redis(server.url));
  try {
    await registerSponsor(redis, SPONSOR);
    const key = historyStreamKey(SPONSOR);
    await redis.xgroup('CREATE', key, HISTORY_GROUP, '0', 'MKSTREAM');
    await append(redis, key, entries);
    const outbox: Outbox = partial({ add: async () => new Set(), wake: async () => undefined });
    const writer = new RecordWriter(database, new Partitions(database), createIotaCodec(), outbox);
    const start = performance.now();
    for (let written = 0; written < entries; written += BATCH) {
      const reply = await redis.xreadgroup(
        'GROUP',
        HISTORY_GROUP,
        'bench',
        'COUNT',
        BATCH,
        'STREAMS',
        key,
        '>',
      );
      const [[, found]] = reply as [[string, [string, string[]][]]];
      const batch = found.map(([id, pairs]) => ({ id, pairs }));
      await writer.writeSponsorships(SPONSOR, batch);
      const ids = batch.map(({ id }) => id);
      await redis
        .multi()
        .xack(key, HISTORY_GROUP, ...ids)
        .xdel(key, ...ids)
        .exec();
    }
    const value = (entries * 1_000) / (performance.now() - start);
    return {
      what: `writing, ${entries} entries of a stream`,
      value,
      unit: '/s',
      target: `twice 600 /s`,
      isMet: value >= TARGET,
    };
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

async function append(
  redis: ReturnType<typeof prepareCoinStore>,
  key: string,
  count: number,
): Promise<void> {
  const transaction = Buffer.from(await sampleTransaction()).toString('base64');
  const now = Date.now();
  const result = {
    outcome: 'success',
    computation: '1000000',
    storage: '2629600',
    rebate: '980400',
  };
  for (let begin = 0; begin < count; begin += BATCH) {
    const pipeline = redis.pipeline();
    for (let index = begin; index < Math.min(begin + BATCH, count); index++) {
      const entry: EndedSponsorship = {
        v: '1',
        id: String(firstReservationAt(now) + index),
        state: 'executed',
        ended: String(now),
        caller: `token-${index % 20}`,
        budget: '5000000',
        sum: '100000000',
        coins: `100000000:1:${address(index)}:7:digest`,
        digest: `written-${index}`,
        transaction,
        rule: 'ours',
        executor: 'executor-1',
        result: JSON.stringify(result),
        counted: '2649200',
        trail: `${now}\tclaimed\twritten-${index}\trequest-${index}\t\n${now}\tbegun\n${now}\tsubmitted\n`,
      };
      pipeline.xadd(key, '*', ...pairsOf(entry));
    }
    await pipeline.exec();
  }
}

function pairsOf(entry: EndedSponsorship): string[] {
  return Object.entries(entry as Readonly<Record<keyof EndedSponsorship, string>>).flat();
}
