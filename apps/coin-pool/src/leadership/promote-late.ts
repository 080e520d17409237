import type { CoinStoreRedis } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Job, Queue } from 'bullmq';

/** BullMQ keeps the time of a delayed job in the upper bits of its score. */
const SCORES_PER_MS = 0x1000;
/** Longest delay before an executor with a correct clock takes a due job. */
const LATE_MS = 2_000;

interface Dependencies {
  readonly redis: CoinStoreRedis;
  readonly queue: Pick<Queue<ExecuteTransactionJob>, 'toKey'>;
}

/**
 * Lets a delayed job begin now if a process's clock, by which BullMQ computes and reads the times of delayed jobs,
 * is wrong. Either the job is due later than its whole delay from now, so that the clock of the process that
 * delayed it is ahead; or it has been due for long, so that the clocks of the remaining executors are behind. The
 * current time is Redis's. Returns whether it was promoted.
 */
export async function promoteLate(
  { redis, queue }: Dependencies,
  job: Pick<Job<ExecuteTransactionJob>, 'id' | 'delay' | 'promote'>,
): Promise<boolean> {
  const score = await redis.zscore(queue.toKey('delayed'), job.id!);
  if (score === null) return false;
  // Read after the score: a job that was delayed meanwhile is due no later than its delay from now.
  const [seconds, micros] = await redis.time();
  const waitsMs =
    Math.floor(Number(score) / SCORES_PER_MS) - Number(seconds) * 1_000 - Number(micros) / 1_000;
  if (waitsMs <= job.delay + LATE_MS && waitsMs >= -LATE_MS) return false;
  // An executor may take it at this moment.
  return job.promote().then(
    () => true,
    () => false,
  );
}
