import { type JobJson, raw2NextJobData, type RedisQueueBackend, type Worker } from 'bullmq';
import { type AddedJob, JobMoves, type Moved } from './job-moves.js';
import type { LocalWorker } from './local-worker.js';
import { jobsOf, wake } from './worker-jobs.js';

/** The answer to a worker that takes a job; without one, `data` is null. */
type Taken = [data: JobJson | null, id: string, limitedForMs: number, dueAt: number];

/** Longest time that the end of a job waits for the next take; far below the duration of a lock. */
const HOLD_MS = 100;

/**
 * Lets a worker that waits for jobs send two commands for each instead of five: one that waits, and one that
 * takes a job, ends those before it, and tells whether another job waits. By itself, BullMQ's worker ends
 * each job separately, and asks in vain before it waits again. A worker that dies while it holds an end lets
 * another one restart the job. `local` is how queues of the same process reach the worker.
 */
export function spareTakes(worker: Worker, local?: LocalWorker): void {
  const { lockDuration: lockMs } = worker.opts;
  const backend: RedisQueueBackend = worker.backend;
  const moves = new JobMoves(backend);
  const waitForJob = backend.waitForJob.bind(backend);
  const close = backend.close.bind(backend);
  const takeByBullMq = backend.moveToActive.bind(backend);
  /** Id and token of each job that has ended. */
  const held: string[] = [];
  let flushing: NodeJS.Timeout | undefined;
  let isWaiting = false;
  let nothing: Taken | null = null;
  let localTakes = 0;

  function send(token?: string, added?: AddedJob): Promise<Moved> {
    clearTimeout(flushing);
    flushing = undefined;
    return moves.move({ ended: held.splice(0), ...(token && { token, lockMs, added }) });
  }
  async function take(token: string, added?: AddedJob): Promise<Taken> {
    const [fields, id, dueAt] = await send(token, added);
    if (fields === -1) return (await takeByBullMq(token)) as Taken;
    if (fields === '') return [null, '', 0, dueAt];
    // A job that comes later sets the marker, so it wakes the worker.
    nothing = dueAt < 0 ? null : [null, '', 0, dueAt];
    return raw2NextJobData([fields, id, 0, 0]) as Taken;
  }
  function flush(): void {
    send().catch((error: Error) => backend.emit('error', error));
  }

  backend.waitForJob = async (timeoutSeconds) => {
    isWaiting = true;
    // A loop without other jobs would see nothing but the end of this wait.
    if (local) wake(worker);
    try {
      return await waitForJob(timeoutSeconds);
    } finally {
      isWaiting = false;
      nothing = null;
    }
  };
  backend.moveToActive = async (token) => {
    const answer = nothing;
    nothing = null;
    return answer ?? take(token);
  };
  backend.moveToCompleted = async (job, _returned, _removed, token, fetchNext) => {
    held.push(job.id!, token);
    const finishedOn = Date.now();
    if (fetchNext && !isWaiting) return { result: await take(token), finishedOn };
    // A worker that waits wakes for the next job.
    if (fetchNext) flushing ??= setTimeout(flush, HOLD_MS);
    else await send();
    return { result: [], finishedOn };
  };
  backend.close = (force) => {
    if (held.length > 0) flush();
    return close(force);
  };

  if (!local) return;
  local.addAndTake = (added) => {
    const jobs = jobsOf(worker);
    const isFull = !jobs || jobs.numTotal() >= worker.concurrency;
    if (isFull || !isWaiting || worker.isPaused() || worker.closing) return null;
    const token = `${worker.id}:local:${(localTakes += 1)}`;
    const taking = take(token, added);
    const fetched = taking.then(([data, id]) =>
      worker['nextJobFromJobData'](data ?? undefined, id, token),
    );
    // The worker's loop begins the job as if it had fetched it; an error would end the loop.
    jobs.add(fetched.catch(() => undefined));
    return taking.then(() => undefined);
  };
}
