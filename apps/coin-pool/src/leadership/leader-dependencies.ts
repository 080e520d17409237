import type { Signers } from '@forecourt/runtime/signers';
import type { AuditDependencies } from '../audit/audit-dependencies.js';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { ResolveDependencies } from '../filling/maintenance-dependencies.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import type { RestartGuard } from '../pool/restart-guard.js';
import type { WithdrawDependencies } from '../withdrawing/withdraw-funds.js';
import type { SweepDependencies } from './sweep-reservations.js';

/** Dependencies of leading a pool: those of its steps, and the lock. */
export type LeaderDependencies = AuditDependencies &
  ResolveDependencies &
  SweepDependencies &
  WithdrawDependencies & {
    /** Names this process in the lock. */
    readonly owner: string;
    /** The configured keys; the pool of a sponsor without one is not filled. */
    readonly keys: Pick<Signers, 'isConfigured'>;
    readonly guard: Pick<RestartGuard, 'check'>;
    readonly metrics: Pick<PoolMetrics, 'leading'>;
    readonly settings: Pick<CoinPoolConfig, 'auditMs' | 'holdMs' | 'scanMs'>;
  };
