import type { CoinStoreRedis, PlacementRules } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Ledger, Signer } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import type { ServerGate } from './server-gate.js';

/** What the coin-pool works with. */
export interface PoolParts {
  /** Names this process in locks. */
  readonly owner: string;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  /** In the order of the configuration; the first one pays where nobody is named. */
  readonly signers: readonly Signer[];
  readonly queue: Queue<ExecuteTransactionJob>;
  readonly rules: PlacementRules;
  readonly settings: PoolSettings;
  /** Until the pools are opened nothing is reserved. */
  readonly state: PoolState;
  readonly gate: ServerGate;
  readonly metrics: PoolMetrics;
  readonly logger: Logger;
}

/** What this process knows of the pools. */
export interface PoolState {
  opened: boolean;
  /** The network they were opened for; null before. */
  chain: string | null;
}

export interface PoolSettings {
  readonly targetBalance: bigint;
  readonly targetCoins: number;
  readonly minCoins: number;
  /** In percent of `targetCoins`. */
  readonly minFreeShare: number;
  readonly splitConcurrency: number;
  readonly foldAt: number;
  readonly scanMs: number;
  /** 0: never. */
  readonly auditMs: number;
  /** How long coins are held back after a restart of a Redis that may have forgotten. */
  readonly holdMs: number;
  readonly claimLeaseMs: number;
  readonly requeueAfterMs: number;
  readonly retentionMs: number;
}
