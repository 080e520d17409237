import { setTimeout as delay } from 'node:timers/promises';
import { EXECUTE_TRANSACTION_QUEUE } from '@forecourt/contracts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const WAIT_MS = 3_000;
const LOOK_EVERY_MS = 10;

/** Removes jobs from the queue without the knowledge of the services. */
export class JobThief {
  readonly #queue: Queue;
  readonly #redis: Redis;

  constructor(redisUrl: string) {
    const patient = { maxRetriesPerRequest: null };
    this.#redis = new Redis(redisUrl, patient);
    this.#redis.on('error', () => undefined);
    this.#queue = new Queue(EXECUTE_TRANSACTION_QUEUE, {
      connection: { url: redisUrl, ...patient },
    });
    this.#queue.on('error', () => undefined);
  }

  /** Removes a job that no executor has taken. False: none came in time. */
  async loseWaiting(): Promise<boolean> {
    await this.#queue.pause();
    try {
      const deadline = performance.now() + WAIT_MS;
      while (performance.now() < deadline) {
        const [job] = await this.#queue.getJobs(['wait', 'prioritized'], 0, 0);
        if (job) {
          await job.remove();
          return true;
        }
        await delay(LOOK_EVERY_MS);
      }
      return false;
    } finally {
      await this.#queue.resume();
    }
  }

  /** Removes the jobs that executors had when they died. Returns their number. */
  async loseActive(): Promise<number> {
    const jobs = await this.#queue.getJobs(['active']);
    for (const job of jobs) {
      await this.#redis.del(`${this.#queue.toKey(job.id!)}:lock`);
      await job.remove();
    }
    return jobs.length;
  }

  async close(): Promise<void> {
    await this.#queue.close().catch(() => undefined);
    this.#redis.disconnect();
  }
}
