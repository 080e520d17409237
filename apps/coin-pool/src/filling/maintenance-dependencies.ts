import type { CoinStoreRedis, PlacementRules } from '@forecourt/coin-store';
import type { Ledger, Signer } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import type { Watermarks } from '../pool/watermarks.js';
import type { ReceiverRules } from '../withdrawing/may-receive.js';

/** For adopting, splitting and consolidating the coins of a pool. */
export interface MaintenanceDependencies {
  readonly redis: CoinStoreRedis;
  readonly ledger: Pick<
    Ledger,
    'buildConsolidation' | 'buildSplit' | 'countGasCoins' | 'listGasCoins' | 'status' | 'submit'
  >;
  readonly signers: readonly Signer[];
  readonly rules: PlacementRules;
  readonly settings: MaintenanceSettings;
  readonly watermarks: Pick<Watermarks, 'remember'>;
  readonly metrics: MaintenanceMetrics;
  readonly logger: Logger;
}

/** For finishing interrupted maintenance as well. */
export type ResolveDependencies = MaintenanceDependencies &
  ReceiverRules & {
    readonly ledger: Pick<
      Ledger,
      'decodeTransaction' | 'findRecipients' | 'findTransaction' | 'hasExpired' | 'readGasCoins'
    >;
  };

export type MaintenanceSettings = Pick<
  CoinPoolConfig,
  | 'consolidateAt'
  | 'minCoins'
  | 'minFreeShare'
  | 'splitConcurrency'
  | 'submitWithinMs'
  | 'targetBalance'
  | 'targetCoins'
>;

type MaintenanceMetrics = Pick<
  PoolMetrics,
  'coinsConsolidated' | 'coinsMade' | 'countGas' | 'maintenance' | 'refills' | 'repairs'
>;
