import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

export interface Window {
  /** How often each caller may be counted in a window. */
  readonly most: number;
  readonly seconds: number;
}

/** Counts events of callers in windows, each of which begins with a caller's first event. */
export class WindowCounter {
  private constructor(private readonly limiter: RateLimiterAbstract) {}

  static inProcess({ most, seconds }: Window): WindowCounter {
    return new WindowCounter(new RateLimiterMemory({ points: most, duration: seconds }));
  }

  /** Counts for the whole fleet; while Redis does not answer, `take` throws, or counts in this process alone. */
  static inFleet(
    redis: object,
    keyPrefix: string,
    { most, seconds }: Window,
    duringOutage: 'throw' | 'count alone',
  ): WindowCounter {
    const limit = { keyPrefix, points: most, duration: seconds };
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      ...limit,
      ...(duringOutage === 'count alone' && { insuranceLimiter: new RateLimiterMemory(limit) }),
    });
    return new WindowCounter(limiter);
  }

  /** Counts an event, or several. Returns 0, or beyond the limit the seconds until the window ends. */
  async take(caller: string, count = 1): Promise<number> {
    try {
      await this.limiter.consume(caller, count);
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, refusal.msBeforeNext) / 1_000;
    }
  }

  /** Takes back an event that was counted. */
  async giveBack(caller: string): Promise<void> {
    await this.limiter.reward(caller);
  }
}
