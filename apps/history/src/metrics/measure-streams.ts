import {
  type CoinStoreRedis,
  countBacklog,
  countDroppedEntries,
  historyStreamKey,
  listSponsors,
} from '@forecourt/coin-store';
import { HISTORY_COUNTED_BYTES, REFUSALS_DROPPED_KEY, REFUSALS_KEY } from '@forecourt/contracts';
import type { Metrics } from '@forecourt/runtime/metrics';
import { REFUSALS } from '../streams/refusal-source.js';

/** Measures what waits in the streams, whose bound is `backlog`, and what they had no room for. */
export function measureStreams(metrics: Metrics, redis: CoinStoreRedis, backlog: number): void {
  const ofStreams = (read: (key: string) => Promise<number>) => async () => {
    const sponsors = [...(await listSponsors(redis)).values()];
    const keys = [
      [REFUSALS, REFUSALS_KEY] as const,
      ...sponsors.map((sponsor) => [sponsor, historyStreamKey(sponsor)] as const),
    ];
    return Promise.all(keys.map(async ([stream, key]) => [{ stream }, await read(key)] as const));
  };
  metrics.figures<{ stream: string }>({
    name: 'history_backlog_entries',
    labels: ['stream'],
    help: 'Entries of each stream that are not in the database yet.',
    read: ofStreams((key) => redis.xlen(key)),
  });
  metrics.figures<{ stream: string }>({
    name: 'history_lag_seconds',
    labels: ['stream'],
    help: 'Age of the oldest entry that is not in the database yet; 0 without any.',
    read: ofStreams((key) => ageOfOldest(redis, key)),
  });
  metrics.figures<{ stream: string }>({
    name: 'history_backlog_used_ratio',
    labels: ['stream'],
    help: 'Part of HISTORY_BACKLOG that each stream uses; at 1 it takes no more entries.',
    read: async () => {
      const sponsors = [...(await listSponsors(redis)).values()];
      const used = sponsors.map(
        async (stream) => [{ stream }, (await countBacklog(redis, stream)) / backlog] as const,
      );
      const refusals = (await countRefusals(redis)) / backlog;
      return backlog === 0 ? [] : [...(await Promise.all(used)), [{ stream: REFUSALS }, refusals]];
    },
  });
  metrics.figures<{ stream: string }>({
    name: 'history_dropped_total',
    labels: ['stream'],
    kind: 'counter',
    help: 'Ended sponsorships that their stream had no room for; refused requests of which only the number is kept.',
    read: async () => {
      const sponsors = [...(await listSponsors(redis)).values()];
      const counted = await Promise.all(
        sponsors.map(
          async (stream) => [{ stream }, await countDroppedEntries(redis, stream)] as const,
        ),
      );
      const refusals = (await redis.hvals(REFUSALS_DROPPED_KEY)).reduce(
        (sum, count) => sum + Number(count),
        0,
      );
      return [...counted, [{ stream: REFUSALS }, refusals] as const];
    },
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
