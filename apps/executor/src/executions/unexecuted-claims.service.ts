import { type CoinStoreRedis, deferExecution, refuseExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { SigningFailed } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { Replies } from './replies.js';
import type { SubmissionTimes } from './submission-times.js';

/** Ends the work on claims whose transactions are not executed: refused ones, and those that no key signs. */
@Injectable()
export class UnexecutedClaimsService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly replica: ReplicaIdentity,
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    private readonly replies: Replies,
    private readonly metrics: ExecutorMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Refused for certain, by the ledger or this service's rules: the reservation can be used again, the
   * waiters receive the reason.
   */
  async refuse(
    job: ExecuteTransactionJob,
    message: string,
    cause: 'ledger' | 'rules',
    submissions?: SubmissionTimes,
  ): Promise<void> {
    const { refused, waiters } = await refuseExecution(this.redis, job.sponsor, {
      ...job,
      message,
      retentionMs: this.settings.retentionMs,
      submissions: submissions?.takeAges(),
    });
    if (!refused) return;
    passFailpoint('executor:after-refuse');
    this.metrics.ends.add({ outcome: 'refused', cause });
    this.logger.info({ ...job, outcome: 'refused', cause, message }, 'Transaction refused');
    await this.replies.sendRefusal(job, waiters, message);
  }

  /** The sponsor's key cannot sign at the moment: the coins stay bound, and the waiters learn it. */
  async defer(job: ExecuteTransactionJob, { message, retryAfterMs }: SigningFailed): Promise<void> {
    const waiters = await deferExecution(this.redis, job.sponsor, this.replica.id, job);
    if (waiters === null) return;
    this.logger.debug({ ...job, error: message }, 'Transaction deferred: not signed');
    await this.replies.sendUnsigned(job, waiters, Math.ceil(retryAfterMs / 1_000));
  }
}
