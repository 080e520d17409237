import type { CurrentUsage } from '@forecourt/contracts';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** The state of counters of limits, in the order of their names. Changes nothing. */
export async function readUsages(
  redis: CoinStoreRedis,
  sponsor: string,
  counters: readonly string[],
): Promise<readonly CurrentUsage[]> {
  if (counters.length === 0) return [];
  const reply = (await runOnPool(redis, 'read-usages', sponsor, ...counters)) as (
    string | number
  )[];
  return counters.map((counter, index) => ({
    counter,
    used: String(reply[2 * index]),
    endsInMs: Number(reply[2 * index + 1]),
  }));
}
