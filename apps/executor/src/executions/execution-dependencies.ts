import type { CoinStoreRedis, PlacementRules } from '@forecourt/coin-store';
import type { Ledger } from '@forecourt/ledger';
import type { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { Logger } from '@forecourt/runtime/service';
import type { Signers } from '@forecourt/runtime/signers';
import type { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { BatchedSteps } from './batched-steps.js';
import type { ReplyToWaiters } from './reply-to-waiters.js';

/** Dependencies of executing a transaction. */
export interface ExecutionDependencies {
  readonly redis: CoinStoreRedis;
  readonly steps: Pick<BatchedSteps, 'begin' | 'noteUnknown' | 'settle'>;
  readonly ledger: Pick<
    Ledger,
    | 'buildConsolidation'
    | 'decodeTransaction'
    | 'findTransaction'
    | 'hasExpired'
    | 'haveInputsMovedOn'
    | 'readGasCoins'
    | 'status'
    | 'submit'
  >;
  readonly recentObjects: Pick<RecentObjects, 'record'>;
  readonly signers: Pick<Signers, 'find'>;
  readonly replies: Pick<ReplyToWaiters, 'followUp' | 'sendRefusal'>;
  readonly rules: PlacementRules;
  readonly retentionMs: number;
  /**
   * Longest time between Redis's confirmation that the coins are the transaction's and the start of a submission.
   */
  readonly submitWithinMs: number;
  readonly metrics: Pick<ExecutorMetrics, 'countCost' | 'countGas' | 'ends' | 'step'>;
  readonly logger: Logger;
}
