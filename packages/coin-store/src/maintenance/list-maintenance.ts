import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/coin-record.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import type { MaintenanceKind } from './begin-maintenance.js';

export interface MaintenanceOperation {
  readonly operationId: string;
  readonly kind: MaintenanceKind;
  /** Null until it is bound to a transaction. */
  readonly digest: string | null;
  /** Base64; null until it is bound. */
  readonly txBytes: string | null;
  /** Balance of each coin it makes; 0 when it makes none. */
  readonly amount: bigint;
  readonly coins: readonly GasCoin[];
  readonly leaseOver: boolean;
}

/** Every split, consolidation and withdrawal in progress. */
export async function listMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<MaintenanceOperation[]> {
  const replies = (await runOnPool(redis, 'list-maintenance', sponsor)) as [
    string,
    MaintenanceKind,
    string,
    string,
    string,
    number,
    string,
  ][];
  return replies.map(([operationId, kind, coins, digest, bytes, leaseOver, amount]) => ({
    operationId,
    kind,
    coins: readCoinList(coins),
    digest: digest || null,
    txBytes: bytes || null,
    leaseOver: leaseOver === 1,
    amount: BigInt(amount),
  }));
}
