import type { CoinStoreRedis, PlacementRules } from '@forecourt/coin-store';
import type { Ledger } from '@forecourt/ledger';
import type { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { Logger } from '@forecourt/runtime/service';
import type { Signers } from '@forecourt/runtime/signers';
import type { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { BatchedSteps } from './batched-steps.js';
import type { ReplyToWaiters } from './reply-to-waiters.js';

/** What executing a transaction needs. */
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
  /** A submission begins at most this long after Redis has confirmed that the coins are the transaction's. */
  readonly submitWithinMs: number;
  readonly metrics: Pick<ExecutorMetrics, 'countCost' | 'countGas' | 'ends' | 'step'>;
  readonly logger: Logger;
}
