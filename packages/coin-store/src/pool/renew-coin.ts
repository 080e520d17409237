import type { GasCoin } from '@forecourt/ledger';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeCoinRecord } from './coin-record.js';
import type { PlacementRules } from './placement.js';
import type { PlacedCoin } from './snapshot-pool.js';

/**
 * Corrects a coin at rest, or in an unused reservation, which then ends. `after`: what it is now; null when it is gone.
 * False when the coin is no longer where it was seen.
 */
export async function renewCoin(
  redis: CoinStoreRedis,
  sponsor: string,
  renewal: {
    before: PlacedCoin;
    after: GasCoin | null;
    rules: PlacementRules;
    retentionMs: number;
  },
): Promise<boolean> {
  const { before, after, rules, retentionMs } = renewal;
  const { objectId, version, digest, balance, holder } = before;
  const reply = await runOnPool(
    redis,
    'renew-coin',
    sponsor,
    objectId,
    `${version}:${digest}:${balance}`,
    after === null ? '' : writeCoinRecord(after, rules),
    holder ?? '',
    retentionMs,
  );
  return reply === 1;
}
