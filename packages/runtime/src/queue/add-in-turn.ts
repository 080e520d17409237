import { countClaimsOfJob } from '@forecourt/contracts';
import type { JobsOptions, RedisQueueBackend } from 'bullmq';
import { JobMoves } from './job-moves.js';
import type { LocalWorker } from './local-worker.js';

/** Options of a job that takes its caller's next turn as its priority. */
export interface TurnOptions extends JobsOptions {
  readonly turnOf?: string | undefined;
}

/** Lets a queue add jobs with a caller in one command, which takes the caller's turn too. */
export function addInTurn(
  backend: RedisQueueBackend,
  worker: () => LocalWorker | undefined = () => undefined,
): void {
  const addJob = backend.addJob.bind(backend);
  const moves = new JobMoves(backend);

  backend.addJob = async (job, id, parent) => {
    const { turnOf, telemetry, ...others }: TurnOptions = job.opts;
    if (turnOf === undefined) return addJob(job, id, parent);
    const { name, data, timestamp } = job;
    // BullMQ's short name of the telemetry's content.
    const options = JSON.stringify({ ...others, ...(telemetry && { tm: telemetry.metadata }) });
    const claims = countClaimsOfJob(id);
    const added = { id, name, data, options, timestamp, caller: turnOf, claims };
    await (worker()?.addAndTake(added) ?? moves.move({ added }));
    return id;
  };
}
