import { countClaimsOfJob } from '@forecourt/contracts';
import type { Queue } from 'bullmq';
import { rememberAnswer } from '@forecourt/resilience';
import { type Figure, type Metrics, FRESH_MS } from '../metrics/index.js';

const STATES = ['wait', 'active', 'delayed'] as const;
/**
 * Lists of jobs that wait for an executor: those that were enqueued again, which come first, and those with a
 * turn.
 */
const WAITING = ['wait', 'prioritized'] as const;
/** Number of the oldest jobs among which the search looks for one that has not run yet. */
const EXAMINED = 20;
/** Jobs of a list whose claims are counted; the others are assumed to have as many on average. */
const COUNTED = 100;

/**
 * Exports the number of jobs and the age of the oldest one. Executors and coin-pools export the same, so that
 * a queue without executors is still monitored: take the maximum, not the sum.
 */
export function measureQueue(metrics: Metrics, queue: Queue): void {
  const name = queue.name;
  const counts = rememberAnswer(() => countTransactions(queue), FRESH_MS);
  metrics.figures<{ queue: string; state: string }>({
    name: 'queue_jobs',
    labels: ['queue', 'state'],
    help: 'Transactions in the queue by state: waiting, active, or delayed until their next attempt.',
    async read() {
      const { waiting, ...others } = await counts();
      const states = { wait: waiting, ...others };
      return STATES.map((state): Figure<{ queue: string; state: string }> => {
        return [{ queue: name, state }, states[state]];
      });
    },
  });
  const oldestAge = rememberAnswer(() => oldestAgeMs(queue), FRESH_MS);
  metrics.figures<{ queue: string }>({
    name: 'queue_oldest_job_age_seconds',
    labels: ['queue'],
    help: 'Age of the oldest job that no executor has started; 0 when none waits.',
    read: async () => [[{ queue: name }, (await oldestAge()) / 1_000]],
  });
}

/** Excludes retried jobs: they are old because of their delay, not because of a long queue. */
async function oldestAgeMs(queue: Queue): Promise<number> {
  const first = await queue.getJobs([...WAITING], 0, EXAMINED - 1, true);
  const since = first.filter((job) => job?.attemptsMade === 0).map(({ timestamp }) => timestamp);
  return since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since));
}

/** How many transactions wait for an executor; exact up to 100 jobs. */
export async function countWaiting(queue: Queue): Promise<number> {
  const jobs = await queue.getJobCounts(...WAITING);
  return countIn(queue, WAITING, (jobs['wait'] ?? 0) + (jobs['prioritized'] ?? 0));
}

/**
 * How many transactions wait, are in work, or are delayed until their next attempt; exact up to 100 jobs of
 * each.
 */
export async function countTransactions(
  queue: Queue,
): Promise<{ waiting: number; active: number; delayed: number }> {
  const jobs = await queue.getJobCounts(...STATES, 'prioritized');
  const [waiting, active, delayed] = await Promise.all([
    countIn(queue, WAITING, (jobs['wait'] ?? 0) + (jobs['prioritized'] ?? 0)),
    countIn(queue, ['active'], jobs['active'] ?? 0),
    countIn(queue, ['delayed'], jobs['delayed'] ?? 0),
  ]);
  return { waiting, active, delayed };
}

/** The transactions of this many jobs in these lists. */
async function countIn(
  queue: Queue,
  lists: readonly ('wait' | 'prioritized' | 'active' | 'delayed')[],
  jobs: number,
): Promise<number> {
  if (jobs === 0) return 0;
  const ids = await queue.getRanges([...lists], 0, COUNTED - 1, true);
  const claims = ids.reduce((sum, id) => sum + countClaimsOfJob(id), 0);
  return ids.length === 0 ? jobs : Math.round((jobs * claims) / ids.length);
}
