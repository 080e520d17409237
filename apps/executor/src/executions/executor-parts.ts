import type { CoinStoreRedis, PlacementRules } from '@forecourt/coin-store';
import type { Ledger, Signer } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import type { ExecutorMetrics } from '../metrics/executor-metrics.js';
import type { ReplyToWaiters } from './reply-to-waiters.js';

/** What executing needs. */
export interface ExecutorParts {
  /** Names this process in the claims it works on. */
  readonly executor: string;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  /** By sponsor address. */
  readonly signers: ReadonlyMap<string, Signer>;
  readonly replies: ReplyToWaiters;
  readonly rules: PlacementRules;
  readonly retentionMs: number;
  readonly metrics: ExecutorMetrics;
  readonly logger: Logger;
}
