import type { Queue } from 'bullmq';
import type { RedisConnection } from '../redis/index.js';

/** The largest priority that BullMQ accepts. */
const MAX_TURN = 2 ** 21 - 1;

/**
 * Callers take turns: a job has the turn after that of its caller's job before, but none earlier than the next job's. A hash
 * maps callers to their last turns, and `:last`, which is no caller's name, to the last turn of all: while no job waits, that
 * is the next one's. BullMQ keeps the priority of a waiting job in the upper bits of its score. Turns begin at 1 again when
 * half of them are used up and no job waits.
 */
const TAKE_TURN = `
local turns, caller, most = KEYS[1], ARGV[1], tonumber(ARGV[2])
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local last = tonumber(redis.call('HGET', turns, ':last') or 1)
if not first and last > most / 2 then
  redis.call('DEL', turns)
  last = 1
end
local next = first and math.floor(tonumber(first) / 0x100000000) or last
local own = tonumber(redis.call('HGET', turns, caller) or 0)
local turn = math.min(math.max(next, own + 1), most)
redis.call('HSET', turns, ':last', string.format('%.0f', math.max(last, turn)), caller, string.format('%.0f', turn))
return turn`;

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
    redis.defineCommand('takeTurn', { numberOfKeys: 2, lua: TAKE_TURN });
    this.#redis = redis as WithScript;
  }

  /** The priority of the caller's next job: the lower, the sooner. Throws what Redis throws. */
  take(caller: string): Promise<number> {
    const { queue } = this;
    return this.#redis.takeTurn(queue.toKey('turns'), queue.toKey('prioritized'), caller, MAX_TURN);
  }
}
