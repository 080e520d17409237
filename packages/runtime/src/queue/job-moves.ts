import type { RedisQueueBackend } from 'bullmq';
import type { Writable } from 'node:stream';
import { corkTick, loadScript } from '../redis/index.js';

/** The largest priority that BullMQ accepts: behind every job with a lower one. */
const MAX_TURN = 2 ** 21 - 1;

const SCRIPT = { numberOfKeys: 9, lua: loadScript('move-jobs') };

/** A job that takes a turn of its caller for each of its claims. */
export interface AddedJob {
  readonly id: string;
  readonly name: string;
  readonly data: string;
  /** A JSON object without a priority. */
  readonly options: string;
  readonly timestamp: number;
  readonly caller: string;
  readonly claims: number;
}

/** One command ends jobs, adds one and takes one, in this order; each is optional. */
export interface Move {
  /** Id and token of each job that has ended. */
  readonly ended?: readonly string[];
  readonly added?: AddedJob | undefined;
  /** The token of the worker that takes the next job, and the duration of its lock. */
  readonly token?: string;
  readonly lockMs?: number | undefined;
}

/**
 * The taken job: `fields` are '' if there is none, and -1 if BullMQ's own script decides. `dueAt` is when the
 * next delayed job is due, 0 without one, and -1 if another job waits.
 */
export type Moved = [fields: string[] | '' | -1, id: string, dueAt: number];

/** The script that moves the jobs of a queue. */
export class JobMoves {
  #client: Awaited<RedisQueueBackend['client']> | undefined;

  constructor(private readonly backend: RedisQueueBackend) {}

  async move({ ended = [], added, token = '', lockMs = 0 }: Move): Promise<Moved> {
    const { backend } = this;
    if (!this.#client) {
      const client = await backend.client;
      client.defineCommand('moveJobs', SCRIPT);
      this.#client = client;
    }
    const { wait, active, prioritized, delayed, stalled, marker, meta, pc } = backend.keys;
    const keys = [wait, active, prioritized, delayed, stalled, marker, meta, pc];
    const terms = [backend.keys[''], Date.now(), token, lockMs];
    const args = [...keys, backend.toKey('turns'), ...terms, ...describe(added), ...ended];
    // A client of a cluster has a connection, and a stream, for each node.
    corkTick((this.#client as { stream?: Writable }).stream);
    return (await this.#client.runCommand('moveJobs', args)) as Moved;
  }
}

function describe(added: AddedJob | undefined): (string | number)[] {
  if (!added) return ['', '', '', '', '', '', '', ''];
  const { id, name, data, options, timestamp, caller, claims } = added;
  return [id, name, data, options, timestamp, caller, claims, MAX_TURN];
}
