import { endSuspension as endInStore, readSuspension } from '@forecourt/coin-store';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import type { PoolParts } from '../pool/pool-parts.js';

/** Once the time is over for which coins are held back: compares them with the ledger, then lets them go. */
export async function endHold(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, logger } = parts;
  if ((await readSuspension(redis, sponsor)) !== 0) return;
  await adoptNewCoins(parts, sponsor, true);
  const repaired = await reconcilePool(parts, sponsor);
  if (await endInStore(redis, sponsor)) {
    logger.info({ sponsor, repaired }, 'coins are handed out again');
  }
}
