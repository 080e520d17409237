import type { Queue } from 'bullmq';
import { loadScript, type RedisConnection } from '../redis/index.js';

/** The largest priority that BullMQ accepts. */
const MAX_TURN = 2 ** 21 - 1;

type WithScript = RedisConnection & {
  takeTurn(turns: string, waiting: string, caller: string, most: number): Promise<number>;
};

/** In which order executors take the jobs of several callers. */
export class Turns {
  readonly #redis: WithScript;

  constructor(
    redis: RedisConnection,
    private readonly queue: Pick<Queue, 'toKey'>,
  ) {
    redis.defineCommand('takeTurn', { numberOfKeys: 2, lua: loadScript('take-turn') });
    this.#redis = redis as WithScript;
  }

  /** The priority of the caller's next job: the lower, the sooner. Throws what Redis throws. */
  take(caller: string): Promise<number> {
    const { queue } = this;
    return this.#redis.takeTurn(queue.toKey('turns'), queue.toKey('prioritized'), caller, MAX_TURN);
  }
}
