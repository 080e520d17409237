import type { AddedJob } from './job-moves.js';

/**
 * The worker of the same process. While it waits for jobs, the command that adds a job takes the next one for
 * it, so that a lone job needs no other command to reach it. The job is in the queue as any other, and
 * another worker restarts it if the process dies.
 */
export class LocalWorker {
  /** Set by the worker. Null: it takes no job at the moment, so that another worker may have to. */
  addAndTake: (job: AddedJob) => Promise<void> | null = () => null;
}
