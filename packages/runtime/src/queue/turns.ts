import type { Queue } from 'bullmq';
import { Batcher } from '../async/index.js';
import { loadScript, type RedisConnection } from '../redis/index.js';

/** The largest priority that BullMQ accepts: behind every job with a lower one. */
const MAX_TURN = 2 ** 21 - 1;
/** Most turns that are taken in one script call. */
const MAX_BATCH = 64;

type WithScript = RedisConnection & {
  takeTurns(turns: string, waiting: string, most: number, ...callers: string[]): Promise<number[]>;
};

/** In which order executors take the jobs of several callers. */
export class Turns {
  readonly #redis: WithScript;
  readonly #batcher = new Batcher((callers: readonly string[]) => this.takeAll(callers), MAX_BATCH);

  constructor(
    redis: RedisConnection,
    private readonly queue: Pick<Queue, 'toKey'>,
  ) {
    redis.defineCommand('takeTurns', { numberOfKeys: 2, lua: loadScript('take-turns') });
    this.#redis = redis as WithScript;
  }

  /** The priority of the caller's next job: the lower, the sooner; the last one if Redis does not answer. */
  take(caller: string): Promise<number> {
    return this.#batcher.add(caller).catch(() => MAX_TURN);
  }

  private takeAll(callers: readonly string[]): Promise<number[]> {
    const [turns, waiting] = [this.queue.toKey('turns'), this.queue.toKey('prioritized')];
    return this.#redis.takeTurns(turns, waiting, MAX_TURN, ...callers);
  }
}
