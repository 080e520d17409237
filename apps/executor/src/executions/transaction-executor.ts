import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, placementRules } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { submitWithinMs } from '@forecourt/runtime/config';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { BatchedSteps } from './batched-steps.js';
import { executeTransaction } from './execute-transaction.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { ReplyToWaiters } from './reply-to-waiters.js';

/** Executes transactions with the keys, the store and the ledger of this service. */
@Injectable()
export class TransactionExecutor {
  private readonly dependencies: ExecutionDependencies;

  constructor(
    @Inject(EXECUTOR_CONFIG) { poolTargetBalance, retentionMs, ledgerTimeoutMs }: ExecutorConfig,
    @Inject(REDIS) redis: CoinStoreRedis,
    @Inject(LEDGER) ledger: Ledger,
    @Inject(LOGGER) logger: Logger,
    identity: ReplicaIdentity,
    signers: Signers,
    metrics: ExecutorMetrics,
    replies: ReplyToWaiters,
  ) {
    this.dependencies = {
      redis,
      steps: new BatchedSteps(redis, identity.id),
      ledger,
      logger,
      metrics,
      recentObjects: new RecentObjects(redis),
      replies,
      retentionMs,
      submitWithinMs: submitWithinMs(ledgerTimeoutMs),
      signers,
      rules: placementRules(poolTargetBalance),
    };
  }

  /** Throws `OutcomePending` while the outcome is unknown, and the errors of the ledger and Redis. */
  execute(job: ExecuteTransactionJob): Promise<void> {
    return executeTransaction(this.dependencies, job);
  }
}
