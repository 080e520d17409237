import { type EndedSponsorship } from '@forecourt/contracts';
import { historyStreamKey, type WrittenEntry } from './history-stream.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';

/** The entries of a pool's history, the oldest first. */
export async function entriesOf(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<EndedSponsorship[]> {
  const entries = await redis.xrange(historyStreamKey(sponsor), '-', '+');
  return entries.map(([, pairs]) => {
    const fields = pairs.flatMap((field, index) =>
      index % 2 === 0 ? [[field, pairs[index + 1]]] : [],
    );
    return Object.fromEntries(fields) as EndedSponsorship;
  });
}

/** The entries as history acknowledges them. */
export async function writtenOf(redis: CoinStoreRedis, sponsor: string): Promise<WrittenEntry[]> {
  const ids = await redis.xrange(historyStreamKey(sponsor), '-', '+');
  const entries = await entriesOf(redis, sponsor);
  return entries.map(({ id, digest }, index) => {
    return { entry: ids[index]![0], reservationId: Number(id), digest };
  });
}

/** The lines of a trail, without their times. */
export function eventsOf(trail: string): string[] {
  const lines = trail.split('\n').filter(Boolean);
  return lines.map((line) => line.split('\t').slice(1).join(' '));
}
