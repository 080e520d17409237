import type { Ledger } from '@forecourt/ledger';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { AdoptCoinsDependencies } from '../filling/adopt-new-coins.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';

/** Dependencies of a comparison of a pool with the ledger. */
export interface AuditDependencies extends AdoptCoinsDependencies {
  readonly ledger: Ledger;
  readonly settings: Pick<CoinPoolConfig, 'retentionMs'>;
  readonly metrics: Pick<PoolMetrics, 'auditDifferences' | 'audits' | 'repairs'>;
}
