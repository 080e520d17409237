import type { RedisQueueBackend } from 'bullmq';
import { loadScript } from '../redis/index.js';

/**
 * The answer to a worker that takes a job: `[data, id, limited for ms, due at]`; without a job, `data` is
 * null.
 */
type Taken = unknown[];

const LOOK = { numberOfKeys: 4, lua: loadScript('find-waiting-job') };

/**
 * Lets a worker that has waited for a job send three commands for it instead of five. By itself it tries to
 * take the next job too before it begins the first one, and once more because BullMQ sets the marker that
 * wakes workers with each job that is taken. Here a look at the queue leaves with the first attempt and
 * answers the second one. A job that comes after that look sets the marker, so it wakes the worker.
 */
export function spareTakes(backend: RedisQueueBackend): void {
  const take: (token: string, name?: string) => Promise<Taken> = backend.moveToActive.bind(backend);
  const waitForJob = backend.waitForJob.bind(backend);
  let isDefined = false;
  let hasWaited = false;
  let nothing: Taken | null = null;

  /**
   * The time at which the next delayed job is due, in ms; 0 if no job is delayed; -1 if a job waits or Redis
   * does not answer.
   */
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
    const [answer, dueAt] = await Promise.all([take(token, name), look()]);
    if (answer[0] && dueAt >= 0) nothing = [null, '', 0, dueAt];
    return answer;
  };
}
