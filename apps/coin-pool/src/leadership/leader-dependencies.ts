import type { AuditDependencies } from '../audit/audit-dependencies.js';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { ResolveDependencies } from '../filling/maintenance-dependencies.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import type { RestartGuard } from '../pool/restart-guard.js';
import type { SweepDependencies } from './sweep-reservations.js';

/** What leading a pool needs: what each of its steps needs, and the lock. */
export type LeaderDependencies = AuditDependencies &
  ResolveDependencies &
  SweepDependencies & {
    /** Names this process in the lock. */
    readonly owner: string;
    readonly guard: Pick<RestartGuard, 'check'>;
    readonly metrics: Pick<PoolMetrics, 'leading'>;
    readonly settings: Pick<CoinPoolConfig, 'auditMs' | 'scanMs'>;
  };
