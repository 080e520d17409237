import type { GasCoin } from '@forecourt/ledger';
import { writeCoinArguments } from '../pool/coin-record.js';
import type { PlacementRules } from '../pool/placement.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Ends an operation that the ledger has executed: `returned` are its remaining coins, `created` its new ones; coins
 * in neither leave the pool. False when it was finished before.
 */
export async function finishMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  result: {
    operationId: string;
    returned: readonly GasCoin[];
    created: readonly GasCoin[];
    rules: PlacementRules;
    gasCharged: bigint;
  },
): Promise<boolean> {
  const reply = await runOnPool(
    redis,
    'finish-maintenance',
    sponsor,
    result.operationId,
    String(result.gasCharged),
    result.returned.length,
    ...writeCoinArguments(result.returned, result.rules),
    ...writeCoinArguments(result.created, result.rules),
  );
  return reply === 1;
}
