import { countClaimsOfJob } from '@forecourt/contracts';
import type { JobsOptions, RedisQueueBackend } from 'bullmq';
import { loadScript } from '../redis/index.js';

/** The largest priority that BullMQ accepts: behind every job with a lower one. */
const MAX_TURN = 2 ** 21 - 1;

const ADD = { numberOfKeys: 5, lua: loadScript('add-job') };

/** Options of a job that takes its caller's next turn as its priority. */
export interface TurnOptions extends JobsOptions {
  readonly turnOf?: string | undefined;
}

/** Lets a queue add jobs with a caller in one command, which takes the caller's turn too. */
export function addInTurn(backend: RedisQueueBackend): void {
  const addJob = backend.addJob.bind(backend);
  let client: Awaited<RedisQueueBackend['client']> | undefined;

  backend.addJob = async (job, id, parent) => {
    const { turnOf, telemetry, ...others }: TurnOptions = job.opts;
    if (turnOf === undefined) return addJob(job, id, parent);
    if (!client) {
      client = await backend.client;
      client.defineCommand('addJob', ADD);
    }
    const { prioritized, pc, marker } = backend.keys;
    const keys = [backend.toKey('turns'), prioritized, pc, marker, backend.toKey(id)];
    // BullMQ's short name of the telemetry's content.
    const options = JSON.stringify({ ...others, ...(telemetry && { tm: telemetry.metadata }) });
    const content = [id, job.name, job.data, options, job.timestamp];
    await client.runCommand('addJob', [
      ...keys,
      turnOf,
      countClaimsOfJob(id),
      MAX_TURN,
      ...content,
    ]);
    return id;
  };
}
