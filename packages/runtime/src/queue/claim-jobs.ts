import {
  claimsOfJob,
  type ExecuteBatchJob,
  executeBatchJobId,
  type ExecuteTransactionJob,
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecutionJob,
} from '@forecourt/contracts';
import type { Job, Queue } from 'bullmq';
import { addInTurn, type TurnOptions } from './add-in-turn.js';
import type { LocalWorker } from './local-worker.js';

type Claim = Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'reservationId'>;
type Options = Pick<TurnOptions, 'delay' | 'priority' | 'telemetry' | 'turnOf'>;

/** BullMQ keeps the time of a delayed job in the upper bits of its score in its sorted set. */
const SCORES_PER_MS = 0x1000;

/**
 * The jobs of claims: a claim has its own job, named by the claim, or shares one with others, named in a
 * hash.
 */
export class ClaimJobs {
  readonly #delayedKey: string;
  readonly #sharedKey: string;
  /** The worker of the same process, if there is one. */
  worker: LocalWorker | undefined;

  constructor(private readonly queue: Queue<ExecutionJob>) {
    this.#delayedKey = queue.toKey('delayed');
    this.#sharedKey = queue.toKey('shared');
    addInTurn(queue.backend, () => this.worker);
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
    // Sent first, on the same connection: each claim of a job in the queue finds it. A name without a job
    // does no harm.
    const named = client.hset(this.#sharedKey, Object.fromEntries(names));
    const all = { ...executeTransactionJobOptions, ...options, jobId };
    await Promise.all([named, queue.add(queue.name, job, all)]);
  }

  /** Forgets the shared job of claims that have ended, or have separate jobs. */
  async leaveShared(claims: readonly Claim[]): Promise<void> {
    const client = await this.queue.backend.client;
    await client.hdel(this.#sharedKey, ...claims.map(executeTransactionJobId));
  }

  /** The job that a claim is in; undefined: none. */
  async find(claim: Claim): Promise<Job<ExecutionJob> | undefined> {
    const [jobId] = await this.locate([claim]);
    return jobId == null ? undefined : this.queue.getJob(jobId);
  }

  /**
   * The id of the job that each claim is in; null: none. Claims without a job cost as little as those with
   * one.
   */
  async locate(claims: readonly Claim[]): Promise<readonly (string | null)[]> {
    if (claims.length === 0) return [];
    const client = await this.queue.backend.client;
    const ownIds = claims.map(executeTransactionJobId);
    const exists = (jobId: string) => client.hexists(this.queue.toKey(jobId), 'data');
    // In this order: a claim gets its own job before it leaves the shared one.
    const sharedIds = await client.hmget(this.#sharedKey, ...ownIds);
    return Promise.all(
      ownIds.map(async (ownId, index) => {
        const sharedId = sharedIds[index] ?? null;
        const [isShared, isOwn] = await Promise.all([sharedId && exists(sharedId), exists(ownId)]);
        if (isShared === 1) return sharedId;
        return isOwn === 1 ? ownId : null;
      }),
    );
  }

  /** When a delayed job is due, in ms since 1970, and its whole delay in ms; null: the job is not delayed. */
  async readDelay(jobId: string): Promise<{ readonly dueAt: number; readonly ms: number } | null> {
    const client = await this.queue.backend.client;
    const [score, delay] = await Promise.all([
      client.zscore(this.#delayedKey, jobId),
      client.hget(this.queue.toKey(jobId), 'delay'),
    ]);
    if (score === null) return null;
    return { dueAt: Math.floor(Number(score) / SCORES_PER_MS), ms: Number(delay) };
  }

  /** Lets a delayed job begin now. False: an executor takes it at this moment. */
  async promote(jobId: string): Promise<boolean> {
    const job = await this.queue.getJob(jobId);
    if (!job) return false;
    return job.promote().then(
      () => true,
      () => false,
    );
  }

  /** The claims of all jobs. */
  async listClaims(): Promise<readonly ExecuteTransactionJob[]> {
    const jobs = await this.queue.getJobs(['active', 'wait', 'prioritized', 'delayed']);
    // A job that ended meanwhile is undefined, or has no data.
    return jobs.flatMap((job) => (job?.data?.sponsor ? claimsOfJob(job.data) : []));
  }
}
