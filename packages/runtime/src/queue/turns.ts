import type { Queue } from 'bullmq';
import { Batcher } from '../async/index.js';
import { loadScript, type RedisConnection } from '../redis/index.js';

/** The largest priority that BullMQ accepts: behind every job with a lower one. */
const MAX_TURN = 2 ** 21 - 1;
/** Most turns that are taken in one script call. */
const MAX_BATCH = 64;
/**
 * After so many turns of one caller alone, so many are taken at once: by them it may precede others, who come
 * later.
 */
const IN_A_ROW = 8;
const SPARE_MS = 1_000;
/**
 * Turns begin at 1 again in the second half: those before it cannot become late turns while they are spare.
 */
const LAST_SPARE = MAX_TURN / 2 - 100_000;

type WithScript = RedisConnection & {
  takeTurns(turns: string, waiting: string, most: number, ...callers: string[]): Promise<number[]>;
};

/** In which order executors take the jobs of several callers. */
export class Turns {
  readonly #redis: WithScript;
  readonly #batcher = new Batcher((callers: readonly string[]) => this.takeAll(callers), MAX_BATCH);
  /** The caller of the last turn, and how many it has taken since another one did. */
  #lone = { caller: '', turns: 0 };
  /** Turns of the lone caller that it has not used. */
  #spare: number[] = [];
  #spareUntil = 0;

  constructor(
    redis: RedisConnection,
    private readonly queue: Queue,
  ) {
    redis.defineCommand('takeTurns', { numberOfKeys: 2, lua: loadScript('take-turns') });
    this.#redis = redis as WithScript;
  }

  /** The priority of the caller's next job: the lower, the sooner; the last one if Redis does not answer. */
  async take(caller: string): Promise<number> {
    if (this.#lone.caller !== caller) {
      this.#lone = { caller, turns: 0 };
      this.#spare = [];
    }
    this.#lone.turns += 1;
    const spare = this.#spare.shift();
    if (spare !== undefined && performance.now() < this.#spareUntil) return spare;
    return this.#batcher.add(caller).catch(() => MAX_TURN);
  }

  private async takeAll(callers: readonly string[]): Promise<number[]> {
    const lone = this.#lone;
    const isAlone = lone.turns > IN_A_ROW && callers.every((caller) => caller === lone.caller);
    const further = isAlone ? Math.max(0, IN_A_ROW - callers.length) : 0;
    const all = [...callers, ...Array<string>(further).fill(lone.caller)];
    const [turns, waiting] = [this.queue.toKey('turns'), this.queue.toKey('prioritized')];
    const numbers = await this.#redis.takeTurns(turns, waiting, MAX_TURN, ...all);
    const spare = numbers.slice(callers.length);
    if (this.#lone === lone && spare.every((turn) => turn < LAST_SPARE)) {
      this.#spare = spare;
      this.#spareUntil = performance.now() + SPARE_MS;
    }
    return numbers.slice(0, callers.length);
  }
}
