import type { Worker } from 'bullmq';

/** The jobs that a worker fetches and processes. */
interface WorkerJobs {
  numTotal(): number;
  add(job: Promise<unknown>): void;
}

/** The jobs of a worker's loop, which BullMQ keeps private; null: it does not run. */
export function jobsOf(worker: Worker): WorkerJobs | null {
  return worker['mainLoopQueue'] as WorkerJobs | null;
}

/**
 * Has a worker's loop look at once whether it may take another job, as BullMQ does when a worker is resumed.
 * By itself it looks when a job ends.
 */
export function wake(worker: Worker): void {
  jobsOf(worker)?.add(Promise.resolve());
}
