import { WindowCounter } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { consumeOrRefuse } from './consume-or-refuse.js';

type RateLimit = NonNullable<Caller['rateLimit']>;

/** Counts the requests of each caller that has a rate limit, for the whole fleet. */
@Injectable()
export class RateLimits {
  readonly #counters = new Map<string, WindowCounter>();

  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /**
   * Counts a request of the caller with this name. Resolves with RATE_LIMITED beyond the limit,
   * STORE_UNREACHABLE when Redis cannot count, else null.
   */
  async count(name: string, limit: RateLimit): Promise<ForecourtError | null> {
    try {
      await consumeOrRefuse(this.counterOf(limit), name, 'RATE_LIMITED');
      return null;
    } catch (cause) {
      if (cause instanceof ForecourtError) return cause;
      return new ForecourtError('STORE_UNREACHABLE', '', { cause });
    }
  }

  private counterOf({ requests, windowMs }: RateLimit): WindowCounter {
    const key = `${requests}/${windowMs}`;
    let counter = this.#counters.get(key);
    if (!counter) {
      const window = { most: requests, seconds: windowMs / 1_000 };
      counter = new WindowCounter(this.redis, `fc:rate:${key}`, window, 'throw');
      this.#counters.set(key, counter);
    }
    return counter;
  }
}
