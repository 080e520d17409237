import { type Figure, type Metrics, cacheRead } from '@forecourt/runtime/metrics';
import type { Queue } from 'bullmq';

const STATES = ['wait', 'active', 'delayed'] as const;
/** The first in line that have not run before are among these, or all in line have. */
const LOOK_AT = 20;

/** Shows how many jobs there are, and how long the first in line has waited. Each executor shows the same queue. */
export function measureQueue(metrics: Metrics, queue: Queue): void {
  const name = queue.name;
  const counts = cacheRead(() => queue.getJobCounts(...STATES));
  metrics.figures<{ queue: string; state: string }>({
    name: 'queue_jobs',
    labels: ['queue', 'state'],
    help: 'Jobs in the queue: waiting, being worked on, or delayed until they are tried again.',
    async read() {
      const jobs = await counts();
      return STATES.map((state): Figure<{ queue: string; state: string }> => {
        return [{ queue: name, state }, jobs[state] ?? 0];
      });
    },
  });
  const oldestAge = cacheRead(() => oldestAgeMs(queue));
  metrics.figures<{ queue: string }>({
    name: 'queue_oldest_job_age_seconds',
    labels: ['queue'],
    help: 'How long the oldest job that no executor has taken up has waited; 0 when none waits.',
    read: async () => [[{ queue: name }, (await oldestAge()) / 1_000]],
  });
}

/** Jobs that are tried again have waited on purpose: they are old for another reason than a long queue. */
async function oldestAgeMs(queue: Queue): Promise<number> {
  const first = await queue.getJobs(['wait'], 0, LOOK_AT - 1, true);
  const since = first.filter((job) => job?.attemptsMade === 0).map(({ timestamp }) => timestamp);
  return since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since));
}
