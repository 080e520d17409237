import { cacheRead, type Figure, type Metrics } from '../metrics/index.js';
import type { Queue } from 'bullmq';

const STATES = ['wait', 'active', 'delayed'] as const;
/** Where jobs wait for an executor: those that were enqueued again, which come first, and those with a turn. */
const WAITING = ['wait', 'prioritized'] as const;
/** How many of the oldest jobs are searched for one that has not run yet. */
const EXAMINED = 20;

/**
 * Exports the number of jobs and how long the oldest has waited. Executors and coin-pools export the same, so that a queue
 * without executors is still watched: take the maximum, not the sum.
 */
export function measureQueue(metrics: Metrics, queue: Queue): void {
  const name = queue.name;
  const counts = cacheRead(() => queue.getJobCounts(...STATES, 'prioritized'));
  metrics.figures<{ queue: string; state: string }>({
    name: 'queue_jobs',
    labels: ['queue', 'state'],
    help: 'Jobs in the queue by state: waiting, active, or delayed until their next attempt.',
    async read() {
      const jobs = await counts();
      return STATES.map((state): Figure<{ queue: string; state: string }> => {
        const turns = state === 'wait' ? (jobs['prioritized'] ?? 0) : 0;
        return [{ queue: name, state }, (jobs[state] ?? 0) + turns];
      });
    },
  });
  const oldestAge = cacheRead(() => oldestAgeMs(queue));
  metrics.figures<{ queue: string }>({
    name: 'queue_oldest_job_age_seconds',
    labels: ['queue'],
    help: 'How long the oldest job that no executor has started has waited; 0 when none waits.',
    read: async () => [[{ queue: name }, (await oldestAge()) / 1_000]],
  });
}

/** Repeated jobs do not count: they are old because they were delayed, not because the queue is long. */
async function oldestAgeMs(queue: Queue): Promise<number> {
  const first = await queue.getJobs([...WAITING], 0, EXAMINED - 1, true);
  const since = first.filter((job) => job?.attemptsMade === 0).map(({ timestamp }) => timestamp);
  return since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since));
}
