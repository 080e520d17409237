import type { GasCoin } from '@forecourt/ledger';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { classOf } from './balance-class.js';
import { writeCoin } from './coin-record.js';
import { type PlacementRules, placeOf } from './placement.js';
import type { PlacedCoin } from './snapshot-pool.js';

/**
 * Corrects an unused coin, or one in an unused reservation, which then ends. `after`: its current state; null when
 * it is gone. False when the coin has changed since it was read.
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
  const reply = await runOnPool(
    redis,
    'renew-coin',
    sponsor,
    before.objectId,
    writeCoin(before, placeIn(before)),
    after === null ? '' : writeCoin(after, placeOf(after.balance, rules)),
    before.holder ?? '',
    retentionMs,
  );
  return reply === 1;
}

/** The coin's place, by rules that may have changed since; only available coins are reserved. */
function placeIn({ state, balance }: PlacedCoin): string {
  if (state === 'dust') return 'd';
  return state === 'treasury' ? 't' : String(classOf(balance));
}
