import {
  claimsOfJob,
  type ExecuteBatchJob,
  type ExecuteTransactionJob,
} from '@forecourt/contracts';
import { ClaimJobs } from '@forecourt/runtime/queue';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { retryDelayMs } from './outcome-pending.js';

/** A claim that continues with its own job, after a delay. */
interface Unfinished {
  readonly claim: ExecuteTransactionJob;
  readonly delay: number;
}

/** Executes the claims of a job together. Each that does not finish with the others continues with its own job. */
@Injectable()
export class ExecutionBatches {
  constructor(
    @Inject(ClaimJobs) private readonly jobs: Pick<ClaimJobs, 'add' | 'leaveShared'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Throws what Redis throws; the job then runs again. */
  async execute(
    batch: ExecuteBatchJob,
    { attemptsStarted, opts }: Pick<Job, 'attemptsStarted' | 'opts'>,
    attempt: (claim: ExecuteTransactionJob) => Promise<void>,
  ): Promise<void> {
    const claims = claimsOfJob(batch);
    // After the end of an executor, a claim that may be the reason must not hold up the others.
    const isRestarted = attemptsStarted > 1;
    const unfinished = isRestarted
      ? claims.map((claim) => ({ claim, delay: 0 }))
      : await this.attemptAll(claims, attempt);
    const priority = opts.priority ?? 0;
    await Promise.all(
      unfinished.map(({ claim, delay }) => this.jobs.add(claim, { delay, priority })),
    );
    await this.jobs.leaveShared(claims);
  }

  private async attemptAll(
    claims: readonly ExecuteTransactionJob[],
    attempt: (claim: ExecuteTransactionJob) => Promise<void>,
  ): Promise<Unfinished[]> {
    const unfinished: Unfinished[] = [];
    const attemptOne = async (claim: ExecuteTransactionJob) => {
      try {
        await attempt(claim);
      } catch (error) {
        const fields = { ...claim, attempt: 1, error: (error as Error).message };
        this.logger.warn(fields, 'Execution attempt failed; retrying');
        unfinished.push({ claim, delay: retryDelayMs(1, error as Error) });
      }
    };
    await Promise.all(claims.map(attemptOne));
    return unfinished;
  }
}
