import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface Window {
  /** How often each caller may be counted in a window. */
  readonly most: number;
  readonly seconds: number;
}

/**
 * Counts events of callers for the whole fleet, in windows, each of which begins with a caller's first event.
 */
export class WindowCounter {
  readonly #limiter: RateLimiterRedis;

  /** While Redis does not answer, `take` throws, or counts in this process alone. */
  constructor(
    redis: object,
    keyPrefix: string,
    { most, seconds }: Window,
    duringOutage: 'throw' | 'count alone',
  ) {
    const limit = { keyPrefix, points: most, duration: seconds };
    this.#limiter = new RateLimiterRedis({
      storeClient: redis,
      ...limit,
      ...(duringOutage === 'count alone' && { insuranceLimiter: new RateLimiterMemory(limit) }),
    });
  }

  /** Counts an event, or several. Returns 0, or beyond the limit the seconds until the window ends. */
  async take(caller: string, count = 1): Promise<number> {
    try {
      await this.#limiter.consume(caller, count);
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, refusal.msBeforeNext) / 1_000;
    }
  }

  /** Takes back an event that was counted. */
  async giveBack(caller: string): Promise<void> {
    await this.#limiter.reward(caller);
  }
}
