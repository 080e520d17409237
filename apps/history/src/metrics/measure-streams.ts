import {
  type CoinStoreRedis,
  countDroppedEntries,
  historyStreamKey,
  listSponsors,
} from '@forecourt/coin-store';
import { REFUSALS_DROPPED_KEY, REFUSALS_KEY } from '@forecourt/contracts';
import type { Metrics } from '@forecourt/runtime/metrics';
import { REFUSALS } from '../streams/refusal-source.js';

/** Measures what waits in the streams, and what they had no room for. */
export function measureStreams(metrics: Metrics, redis: CoinStoreRedis): void {
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

async function ageOfOldest(redis: CoinStoreRedis, key: string): Promise<number> {
  const [oldest] = await redis.xrange(key, '-', '+', 'COUNT', 1);
  if (oldest === undefined) return 0;
  return Math.max(0, Date.now() - Number.parseInt(oldest[0], 10)) / 1_000;
}
