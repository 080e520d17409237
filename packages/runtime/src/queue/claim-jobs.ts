import {
  claimsOfJob,
  type ExecuteBatchJob,
  executeBatchJobId,
  type ExecuteTransactionJob,
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecutionJob,
} from '@forecourt/contracts';
import type { Job, JobsOptions, Queue } from 'bullmq';

type Claim = Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'reservationId'>;
type Options = Pick<JobsOptions, 'delay' | 'priority' | 'telemetry'>;

/** The jobs of claims: a claim has its own job, named by the claim, or shares one with others, named in a hash. */
export class ClaimJobs {
  /** BullMQ's sorted set of delayed jobs. */
  readonly delayedKey: string;
  private readonly sharedKey: string;

  constructor(private readonly queue: Queue<ExecutionJob>) {
    this.delayedKey = queue.toKey('delayed');
    this.sharedKey = queue.toKey('shared');
  }

  /** Adds a claim's own job; there is one, however often it is added. */
  async add(claim: ExecuteTransactionJob, options: Options = {}): Promise<void> {
    const jobId = executeTransactionJobId(claim);
    const { queue } = this;
    await queue.add(queue.name, claim, { ...executeTransactionJobOptions, ...options, jobId });
  }

  /** The same for a claim whose shared job is lost. */
  async addAgain(claim: ExecuteTransactionJob, options: Options = {}): Promise<void> {
    await this.add(claim, options);
    await this.leaveShared([claim]);
  }

  /** Adds a job that several claims share. */
  async addShared(job: ExecuteBatchJob, options: Options): Promise<void> {
    const { queue } = this;
    const jobId = executeBatchJobId(job);
    const names = job.claims.map((claim) => [executeTransactionJobId(claim), jobId] as const);
    const client = await queue.backend.client;
    // Sent first, on the same connection: each claim of a job in the queue finds it. A name without a job does no harm.
    const named = client.hset(this.sharedKey, Object.fromEntries(names));
    const all = { ...executeTransactionJobOptions, ...options, jobId };
    await Promise.all([named, queue.add(queue.name, job, all)]);
  }

  /** Forgets the shared job of claims that have ended, or have separate jobs. */
  async leaveShared(claims: readonly Claim[]): Promise<void> {
    const client = await this.queue.backend.client;
    await client.hdel(this.sharedKey, ...claims.map(executeTransactionJobId));
  }

  /** The job that a claim is in; undefined: none. */
  async find(claim: Claim): Promise<Job<ExecutionJob> | undefined> {
    const { queue } = this;
    const ownId = executeTransactionJobId(claim);
    const client = await queue.backend.client;
    // In this order: a claim gets its own job before it leaves the shared one.
    const sharedId = await client.hget(this.sharedKey, ownId);
    const shared = sharedId === null ? undefined : await queue.getJob(sharedId);
    return shared ?? (await queue.getJob(ownId));
  }

  /** The claims of all jobs. */
  async listClaims(): Promise<readonly ExecuteTransactionJob[]> {
    const jobs = await this.queue.getJobs(['active', 'wait', 'prioritized', 'delayed']);
    // A job that ended meanwhile is undefined, or has no data.
    return jobs.flatMap((job) => (job?.data?.sponsor ? claimsOfJob(job.data) : []));
  }
}
