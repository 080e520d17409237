import { Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  countBacklog,
  countDroppedEntries,
  historyStreamKey,
  listSponsors,
} from '@forecourt/coin-store';
import { HISTORY_COUNTED_BYTES, REFUSALS_DROPPED_KEY, REFUSALS_KEY } from '@forecourt/contracts';
import { type Counter, Metrics } from '@forecourt/runtime/metrics';
import type { Database } from '../database/database.js';
import type { Partitions } from '../database/partitions.js';
import { DAY_MS } from '../database/record-ids.js';
import { REFUSALS, type WrittenEntries } from './entry-source.js';

type EntryLabels = {
  readonly stream: string;
  readonly result: 'written' | 'repeated' | 'broken' | 'rebuilt';
};

/** Metrics of writing. `stream`: the sponsor, or `refusals`. */
@Injectable()
export class HistoryMetrics {
  readonly failures: Counter<{ stream: string }>;
  readonly #entries: Counter<EntryLabels>;

  constructor(metrics: Metrics) {
    this.#entries = metrics.counter<EntryLabels>({
      name: 'history_entries_total',
      labels: ['stream', 'result'],
      help: 'Entries of the streams by result; repeated: it had been written before; broken: it cannot be read or stored, and is kept in the table broken_entries; rebuilt: recorded from the ledger, because no pool had a record of it.',
    });
    this.failures = metrics.counter<{ stream: string }>({
      name: 'history_write_failures_total',
      labels: ['stream'],
      help: 'Failed reads, writes and acknowledgements of history. Each is repeated.',
    });
  }

  countRebuilt(stream: string, records: number): void {
    this.#entries.add({ stream, result: 'rebuilt' }, records);
  }

  count(stream: string, { done, inserted, broken }: WrittenEntries): void {
    this.#entries.add({ stream, result: 'written' }, inserted);
    this.#entries.add({ stream, result: 'broken' }, broken);
    this.#entries.add({ stream, result: 'repeated' }, done.length - inserted - broken);
  }
}

/** Measures what waits in the streams, whose bound is `backlog`, and what they had no room for. */
export function measureStreams(metrics: Metrics, redis: CoinStoreRedis, backlog: number): void {
  const ofStreams =
    (ofSponsor: (sponsor: string) => Promise<number>, ofRefusals: () => Promise<number>) =>
    async () => {
      const sponsors = [...(await listSponsors(redis)).values()];
      const counted = [
        [REFUSALS, ofRefusals()] as const,
        ...sponsors.map((sponsor) => [sponsor, ofSponsor(sponsor)] as const),
      ];
      return Promise.all(
        counted.map(async ([stream, count]) => [{ stream }, await count] as const),
      );
    };
  metrics.figures<{ stream: string }>({
    name: 'history_backlog_entries',
    labels: ['stream'],
    help: 'Entries of each stream that are not in the database yet.',
    read: ofStreams(
      (sponsor) => redis.xlen(historyStreamKey(sponsor)),
      () => redis.xlen(REFUSALS_KEY),
    ),
  });
  metrics.figures<{ stream: string }>({
    name: 'history_lag_seconds',
    labels: ['stream'],
    help: 'Age of the oldest entry that is not in the database yet; 0 without any.',
    read: ofStreams(
      (sponsor) => ageOfOldest(redis, historyStreamKey(sponsor)),
      () => ageOfOldest(redis, REFUSALS_KEY),
    ),
  });
  const countUsed = ofStreams(
    async (sponsor) => (await countBacklog(redis, sponsor)) / backlog,
    async () => (await countRefusals(redis)) / backlog,
  );
  metrics.figures<{ stream: string }>({
    name: 'history_backlog_used_ratio',
    labels: ['stream'],
    help: 'Part of HISTORY_BACKLOG that each stream uses; at 1 it takes no more entries.',
    read: async () => (backlog === 0 ? [] : countUsed()),
  });
  metrics.figures<{ stream: string }>({
    name: 'history_dropped_total',
    labels: ['stream'],
    kind: 'counter',
    help: 'Ended sponsorships that their stream had no room for; refused requests of which only the number is kept.',
    read: ofStreams(
      (sponsor) => countDroppedEntries(redis, sponsor),
      async () =>
        (await redis.hvals(REFUSALS_DROPPED_KEY)).reduce((sum, count) => sum + Number(count), 0),
    ),
  });
}

/** By number or by memory, as gateways compare them with the bound. */
async function countRefusals(redis: CoinStoreRedis): Promise<number> {
  const [length, bytes] = await Promise.all([
    redis.xlen(REFUSALS_KEY),
    redis.memory('USAGE', REFUSALS_KEY, 'SAMPLES', 0),
  ]);
  return Math.max(length, (bytes ?? 0) / HISTORY_COUNTED_BYTES);
}

async function ageOfOldest(redis: CoinStoreRedis, key: string): Promise<number> {
  const [oldest] = await redis.xrange(key, '-', '+', 'COUNT', 1);
  if (oldest === undefined) return 0;
  // By the clock that has made the entry's id.
  const [seconds] = await redis.time();
  return Math.max(0, Number(seconds) - Number.parseInt(oldest[0], 10) / 1_000);
}

/** Rows are counted up to here: an index holds that many in a few pages. */
const MOST = 10_000;

/** Measures what the tables need attention for. */
export function measureTables(metrics: Metrics, database: Database, partitions: Partitions): void {
  const countOf = (rows: string) => async () => {
    const counted = await database.pool.query<{ count: string }>(
      `SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${MOST}) AS counted`,
    );
    return [[{}, Number(counted.rows[0]!.count)]] as const;
  };
  metrics.figures({
    name: 'history_days_ahead',
    help: 'Days after today whose records the database can take.',
    read: async () => {
      const last = (await partitions.list()).at(-1) ?? 0;
      return [[{}, Math.floor((last - (await database.now())) / DAY_MS) + 1]];
    },
  });
  metrics.figures<{ stream: string }>({
    name: 'history_missing_total',
    labels: ['stream'],
    kind: 'counter',
    help: 'Ended sponsorships whose entries were deleted from Redis before they were recorded. Every replica exports the same.',
    read: async () => {
      const { rows } = await database.pool.query<{ stream: string; missing: string }>(
        'SELECT sponsor AS stream, sum(missing) AS missing FROM entry_numbers GROUP BY sponsor',
      );
      return rows.map(({ stream, missing }) => [{ stream }, Number(missing)] as const);
    },
  });
  metrics.figures({
    name: 'history_broken_entries',
    help: `Entries in the table broken_entries, up to ${MOST}: they are missing from the records.`,
    read: countOf('broken_entries'),
  });
  metrics.figures({
    name: 'webhook_waiting_deliveries',
    help: `Deliveries to webhooks that wait for an attempt, up to ${MOST}.`,
    read: countOf(`webhook_deliveries WHERE status = 'waiting'`),
  });
}
