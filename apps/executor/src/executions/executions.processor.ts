import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Inject,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  claimsOfJob,
  EXECUTE_TRANSACTION_QUEUE,
  type ExecuteBatchJob,
  type ExecuteTransactionJob,
  type ExecutionJob,
  MAX_STALLED_COUNT,
} from '@forecourt/contracts';
import { LedgerUnreachable, SigningFailed } from '@forecourt/ledger';
import { type Logger, LOGGER, ServiceState, withLogFields } from '@forecourt/runtime/service';
import { ClaimJobs, wake } from '@forecourt/runtime/queue';
import { Signers } from '@forecourt/runtime/signers';
import { inSpan } from '@forecourt/runtime/tracing';
import type { Job } from 'bullmq';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { type AttemptResult, ExecutorMetrics } from '../metrics/executor-metrics.js';
import { ClaimExecutionsService } from './claim-executions.service.js';
import { OutcomePending, retryDelayMs } from './outcome-pending.js';
import { readJob } from './read-job.js';
import { Replies } from './replies.js';
import { WorkerSupervisor } from './worker-supervisor.js';

/**
 * Time after which a dead executor's jobs are restarted. Restarting one too early is harmless: every step
 * names its digest.
 */
const LOCK_MS = 5_000;
/** Interval of the search for jobs whose executor no longer holds their lock. */
const STALLED_MS = 1_000;

/** A claim that continues with its own job, after a delay. */
interface Unfinished {
  readonly claim: ExecuteTransactionJob;
  readonly delay: number;
}

/** Executes the jobs of the queue. */
@Processor(EXECUTE_TRANSACTION_QUEUE, {
  autorun: false,
  maxStalledCount: MAX_STALLED_COUNT,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_MS,
  settings: { backoffStrategy: (attemptsMade, _type, error) => retryDelayMs(attemptsMade, error) },
})
export class ExecutionsProcessor
  extends WorkerHost
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  /** How to hand over each transaction in work. */
  readonly #running = new Set<(reason: Error) => void>();
  #jobs = 0;

  constructor(
    @Inject(EXECUTOR_CONFIG) private readonly settings: ExecutorConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly executions: ClaimExecutionsService,
    private readonly claimJobs: ClaimJobs,
    private readonly replies: Replies,
    private readonly signers: Signers,
    private readonly supervisor: WorkerSupervisor,
    private readonly metrics: ExecutorMetrics,
    private readonly state: ServiceState,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.worker.concurrency = this.settings.concurrency;
    this.supervisor.begin(this.worker);
  }

  async process(job: Job<ExecutionJob>): Promise<void> {
    const read = this.read(job);
    this.#jobs += 1;
    try {
      if ('claims' in read) await this.executeBatch(read, job);
      else await this.execute(read);
    } finally {
      this.#jobs -= 1;
      // The worker takes its next jobs after this one.
      this.worker.concurrency = this.concurrency;
    }
  }

  /**
   * Executes the claims of a job together. Each that does not finish with the others continues with its own
   * job. Throws what Redis throws; the job then runs again.
   */
  private async executeBatch(batch: ExecuteBatchJob, job: Job): Promise<void> {
    const claims = claimsOfJob(batch);
    // After the end of an executor, a claim that may be the reason must not hold up the others.
    const isRestarted = job.attemptsStarted > 1;
    const unfinished = isRestarted
      ? claims.map((claim) => ({ claim, delay: 0 }))
      : await this.executeTogether(claims);
    const priority = job.opts.priority ?? 0;
    await Promise.all(
      unfinished.map(({ claim, delay }) => this.claimJobs.add(claim, { delay, priority })),
    );
    await this.claimJobs.leaveShared(claims);
  }

  /** Returns the claims that have not finished. */
  private async executeTogether(claims: readonly ExecuteTransactionJob[]): Promise<Unfinished[]> {
    const unfinished: Unfinished[] = [];
    const executeOne = async (claim: ExecuteTransactionJob) => {
      try {
        await this.execute(claim);
      } catch (error) {
        const fields = { ...claim, attempt: 1, error: (error as Error).message };
        this.logger.warn(fields, 'Execution attempt failed; retrying');
        unfinished.push({ claim, delay: retryDelayMs(1, error as Error) });
      } finally {
        this.adjustConcurrency();
      }
    };
    const executing = claims.map(executeOne);
    this.adjustConcurrency();
    await Promise.all(executing);
    return unfinished;
  }

  /**
   * Jobs that the worker may have at once. The configured number is one of transactions: fewer jobs while
   * some have several transactions, and more while transactions wait for key services, which costs neither
   * the processor nor the node.
   */
  private get concurrency(): number {
    const { settings, signers } = this;
    const further = Math.max(0, this.#running.size - this.#jobs);
    return Math.max(1, settings.concurrency + signers.inFlight - further);
  }

  /**
   * Has the worker take more or fewer jobs while a job with several transactions goes on. It would notice a
   * higher number only when a job ends, and one slow transaction may keep a job.
   */
  private adjustConcurrency(): void {
    const { worker } = this;
    const wasFull = this.#jobs >= worker.concurrency;
    worker.concurrency = this.concurrency;
    if (wasFull && this.#jobs < worker.concurrency) wake(worker);
  }

  private execute(claim: ExecuteTransactionJob): Promise<void> {
    return withLogFields({ ...claim }, () => this.attempt(claim));
  }

  private read(job: Job): ExecutionJob {
    try {
      return readJob(job);
    } catch (error) {
      this.metrics.attempts.add({ result: nameFailure(error) });
      throw error;
    }
  }

  private async attempt(claim: ExecuteTransactionJob): Promise<void> {
    const { attempts } = this.metrics;
    const { digest, reservationId, sponsor } = claim;
    const execute = () => this.executions.execute(claim);
    try {
      const attributes = { digest, reservationId, sponsor };
      await this.untilHandedOver(inSpan('execute transaction', attributes, execute));
      attempts.add({ result: 'done' });
    } catch (error) {
      attempts.add({ result: nameFailure(error) });
      this.supervisor.suspectNode(this.worker);
      throw error;
    }
  }

  /**
   * Ends like `work`, or with `OutcomePending` when the job is handed over before. Not a race against one
   * promise for all jobs, which would keep memory of every job until the process ends.
   */
  private async untilHandedOver(work: Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running.add(reject);
    work.then(resolve, reject);
    try {
      await promise;
    } finally {
      this.#running.delete(reject);
    }
  }

  /**
   * Starts no more jobs, finishes those that are running and sends the last replies. A job that exceeds the
   * time limit returns to the queue for another executor; two executors at work on it do no harm.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const { promise: handedOver, resolve } = Promise.withResolvers<void>();
    const handOver = () => {
      const reason = new OutcomePending('Executor is shutting down: handed over');
      for (const reject of this.#running) reject(reason);
      resolve();
    };
    const late = setTimeout(handOver, this.state.answerBy - performance.now());
    await this.worker.close();
    await Promise.race([this.replies.untilSent(), handedOver]);
    clearTimeout(late);
  }
}

/** An unreachable node or key service is not the executor's failure: it has a separate alert. */
function nameFailure(error: unknown): AttemptResult {
  if (error instanceof OutcomePending) return 'pending';
  if (error instanceof SigningFailed) return 'unsigned';
  if (!(error instanceof LedgerUnreachable)) return 'failed';
  return error.isInvalid ? 'ledger_invalid' : 'ledger_unreachable';
}
