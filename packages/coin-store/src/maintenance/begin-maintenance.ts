import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/coin-record.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** `fold`: a consolidation. Stored, and a label of metrics. */
/** `lost`: not an operation but a coin that is withheld (rebuild-pool.lua). */
export type MaintenanceKind = 'split' | 'fold' | 'withdrawal' | 'lost';

/**
 * Takes coins for a split or consolidation: the largest of the treasury, the oldest dust, or the first of the
 * largest class available. Null when there are none, the sponsor is drained or the pool is suspended.
 */
export async function beginMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  request: {
    kind: Exclude<MaintenanceKind, 'withdrawal' | 'lost'>;
    from: 'treasury' | 'dust' | 'available';
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const reply = (await runOnPool(
    redis,
    'begin-maintenance',
    sponsor,
    operationId,
    request.kind,
    request.from,
    request.maxCoins,
    request.leaseMs,
  )) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}
