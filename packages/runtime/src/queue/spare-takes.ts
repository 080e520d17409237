import { raw2NextJobData, type RedisQueueBackend, type Worker } from 'bullmq';
import { loadScript } from '../redis/index.js';

/**
 * The answer to a worker that takes a job: `[data, id, limited for ms, due at]`; without a job, `data` is
 * null.
 */
type Taken = unknown[];
/** The script's answer: `fields` are '' without a job, and -1 if BullMQ's own script decides. */
type Answer = [fields: string[] | '' | -1, id: string, dueAt: number];

const TAKE = { numberOfKeys: 8, lua: loadScript('take-job') };
/** Longest time that the end of a job waits for the next take; far below the duration of a lock. */
const HOLD_MS = 100;

/**
 * Lets a worker that waits for jobs send two commands for each instead of five: one that waits, and one that
 * takes a job, ends those before it, and tells whether another job waits. By itself, BullMQ's worker ends
 * each job separately, and asks in vain before it waits again. A worker that dies while it holds an end lets
 * another one restart the job.
 */
export function spareTakes(worker: Worker): void {
  const { lockDuration } = worker.opts;
  const backend: RedisQueueBackend = worker.backend;
  const waitForJob = backend.waitForJob.bind(backend);
  const close = backend.close.bind(backend);
  const takeByBullMq: (token: string, name?: string) => Promise<Taken> =
    backend.moveToActive.bind(backend);
  /** Id and token of each job that has ended. */
  const held: string[] = [];
  let client: Awaited<RedisQueueBackend['client']> | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let isWaiting = false;
  let nothing: Taken | null = null;

  /** Ends the held jobs, and takes one unless the token is ''. */
  async function send(token: string): Promise<Answer> {
    if (!client) {
      client = await backend.client;
      client.defineCommand('takeJob', TAKE);
    }
    clearTimeout(flushing);
    flushing = undefined;
    const { wait, active, prioritized, delayed, stalled, marker, meta, pc } = backend.keys;
    const keys = [wait, active, prioritized, delayed, stalled, marker, meta, pc];
    const terms = [backend.keys[''], Date.now(), token, lockDuration, ...held.splice(0)];
    return (await client.runCommand('takeJob', [...keys, ...terms])) as Answer;
  }
  async function take(token: string, name?: string): Promise<Taken> {
    const [fields, id, dueAt] = await send(token);
    if (fields === -1) return takeByBullMq(token, name);
    if (fields === '') return [null, '', 0, dueAt];
    // A job that comes later sets the marker, so it wakes the worker.
    nothing = dueAt < 0 ? null : [null, '', 0, dueAt];
    return raw2NextJobData([fields, id, 0, 0]) as Taken;
  }
  function flush(): void {
    send('').catch((error: Error) => backend.emit('error', error));
  }

  backend.waitForJob = async (timeoutSeconds) => {
    isWaiting = true;
    try {
      return await waitForJob(timeoutSeconds);
    } finally {
      isWaiting = false;
      nothing = null;
    }
  };
  backend.moveToActive = async (token, name) => {
    const answer = nothing;
    nothing = null;
    return answer ?? take(token, name);
  };
  backend.moveToCompleted = async (job, _returned, _removed, token, fetchNext) => {
    held.push(job.id!, token);
    const finishedOn = Date.now();
    if (fetchNext && !isWaiting) return { result: await take(token), finishedOn };
    // A worker that waits wakes for the next job.
    if (fetchNext) flushing ??= setTimeout(flush, HOLD_MS);
    else await send('');
    return { result: [], finishedOn };
  };
  backend.close = (force) => {
    if (held.length > 0) flush();
    return close(force);
  };
}
