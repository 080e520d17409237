import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { type Drain, writeDrain } from './drain.js';

/** Drains a sponsor: its pool gives no further reservation. A repeated call replaces the reason. */
export async function drainSponsor(
  redis: CoinStoreRedis,
  sponsor: string,
  drain: Drain,
): Promise<void> {
  await runOnPool(redis, 'drain-sponsor', sponsor, writeDrain(drain));
}
