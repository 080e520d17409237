import {
  claimsOfJob,
  type ExecuteBatchJob,
  executeBatchJobId,
  type ExecuteTransactionJob,
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecutionJob,
} from '@forecourt/contracts';
import type { Job, JobsOptions, Queue, RedisQueueBackend } from 'bullmq';
import { Batcher } from '../async/index.js';
import { loadScript, type RedisConnection } from '../redis/index.js';

type Claim = Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'reservationId'>;
type Options = Pick<JobsOptions, 'delay' | 'priority' | 'telemetry'>;

/** BullMQ keeps the time of a delayed job in the upper bits of its score in its sorted set. */
const SCORES_PER_MS = 0x1000;

/** The jobs of claims: a claim has its own job, named by the claim, or shares one with others, named in a hash. */
export class ClaimJobs {
  readonly #delayedKey: string;
  readonly #sharedKey: string;

  constructor(private readonly queue: Queue<ExecutionJob>) {
    this.#delayedKey = queue.toKey('delayed');
    this.#sharedKey = queue.toKey('shared');
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

  /** The id of the job that each claim is in; null: none. Claims without a job cost as little as those with one. */
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

/** The largest priority that BullMQ accepts: behind every job with a lower one. */
const MAX_TURN = 2 ** 21 - 1;
/** Most turns that are taken in one script call. */
const MAX_BATCH = 64;
/** After so many turns of one caller alone, so many are taken at once: by them it may precede others, who come later. */
const IN_A_ROW = 8;
const SPARE_MS = 1_000;
/** Turns begin at 1 again in the second half: those before it cannot become late turns while they are spare. */
const LAST_SPARE = MAX_TURN / 2 - 100_000;

type WithScript = RedisConnection & {
  takeTurns(turns: string, waiting: string, most: number, ...callers: string[]): Promise<number[]>;
};

/** In which order executors take the jobs of several callers. */
export class Turns {
  readonly #redis: WithScript;
  readonly #batcher = new Batcher((callers: readonly string[]) => this.takeAll(callers), MAX_BATCH);
  /** The caller of the last turn, and how many it has taken since another one did. */
  #lone = { caller: '', turns: 0 };
  /** Turns of the lone caller that it has not used. */
  #spare: number[] = [];
  #spareUntil = 0;

  constructor(
    redis: RedisConnection,
    private readonly queue: Pick<Queue, 'toKey'>,
  ) {
    redis.defineCommand('takeTurns', { numberOfKeys: 2, lua: loadScript('take-turns') });
    this.#redis = redis as WithScript;
  }

  /** The priority of the caller's next job: the lower, the sooner; the last one if Redis does not answer. */
  async take(caller: string): Promise<number> {
    if (this.#lone.caller !== caller) {
      this.#lone = { caller, turns: 0 };
      this.#spare = [];
    }
    this.#lone.turns += 1;
    const spare = this.#spare.shift();
    if (spare !== undefined && performance.now() < this.#spareUntil) return spare;
    return this.#batcher.add(caller).catch(() => MAX_TURN);
  }

  private async takeAll(callers: readonly string[]): Promise<number[]> {
    const lone = this.#lone;
    const isAlone = lone.turns > IN_A_ROW && callers.every((caller) => caller === lone.caller);
    const further = isAlone ? Math.max(0, IN_A_ROW - callers.length) : 0;
    const all = [...callers, ...Array<string>(further).fill(lone.caller)];
    const [turns, waiting] = [this.queue.toKey('turns'), this.queue.toKey('prioritized')];
    const taken = await this.#redis.takeTurns(turns, waiting, MAX_TURN, ...all);
    const spare = taken.slice(callers.length);
    if (this.#lone === lone && spare.every((turn) => turn < LAST_SPARE)) {
      this.#spare = spare;
      this.#spareUntil = performance.now() + SPARE_MS;
    }
    return taken.slice(0, callers.length);
  }
}

/** The answer to a worker that takes a job: `[data, id, limited for ms, due at]`; without a job, `data` is null. */
type Taken = unknown[];

const LOOK = { numberOfKeys: 4, lua: loadScript('find-waiting-job') };

/**
 * Lets a worker that has waited for a job send three commands for it instead of five. By itself it tries to take the
 * next job too before it begins the first one, and once more because BullMQ sets the marker that wakes workers with
 * each job that is taken. Here a look at the queue leaves with the first attempt and answers the second one.
 * A job that comes after that look sets the marker, so it wakes the worker.
 */
export function spareTakes(backend: RedisQueueBackend): void {
  const take: (token: string, name?: string) => Promise<Taken> = backend.moveToActive.bind(backend);
  const waitForJob = backend.waitForJob.bind(backend);
  let isDefined = false;
  let hasWaited = false;
  let nothing: Taken | null = null;

  /** The time at which the next delayed job is due, in ms; 0 if no job is delayed; -1 if a job waits or Redis does not answer. */
  const look = async (): Promise<number> => {
    try {
      const client = await backend.client;
      // The attempt leaves once the promises of this turn have settled. A look before it would find its job.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (!isDefined) client.defineCommand('findWaitingJob', LOOK);
      isDefined = true;
      const { wait, prioritized, delayed, marker } = backend.keys;
      const keys = [wait, prioritized, delayed, marker];
      return Number(await client.runCommand('findWaitingJob', keys));
    } catch {
      return -1;
    }
  };

  backend.waitForJob = async (timeoutSeconds) => {
    const woken = await waitForJob(timeoutSeconds);
    hasWaited = true;
    // A worker that had no time for a second job has not asked for it: what woke it has come since that look.
    nothing = null;
    return woken;
  };
  backend.moveToActive = async (token, name): Promise<Taken> => {
    if (nothing) {
      const answer = nothing;
      nothing = null;
      return answer;
    }
    if (!hasWaited) return take(token, name);
    hasWaited = false;
    const [taken, dueAt] = await Promise.all([take(token, name), look()]);
    if (taken[0] && dueAt >= 0) nothing = [null, '', 0, dueAt];
    return taken;
  };
}
