import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Caller } from '@forecourt/policy/tokens';
import { consumeOrRefuse } from './consume-or-refuse.js';

/** Counts the requests of each caller that has a rate limit, for the whole fleet. */
@Injectable()
export class RateLimits {
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** Counts a request. Resolves with RATE_LIMITED beyond the limit, STORE_UNREACHABLE when Redis cannot count, else null. */
  async count({ name, rateLimit }: Caller): Promise<ForecourtError | null> {
    if (rateLimit === null) return null;
    try {
      await consumeOrRefuse(this.limiterOf(rateLimit), name, 'RATE_LIMITED');
      return null;
    } catch (cause) {
      if (cause instanceof ForecourtError) return cause;
      return new ForecourtError('STORE_UNREACHABLE', '', { cause });
    }
  }

  private limiterOf({ requests, windowMs }: NonNullable<Caller['rateLimit']>): RateLimiterRedis {
    const key = `${requests}/${windowMs}`;
    let limiter = this.#limiters.get(key);
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: this.redis,
        keyPrefix: `fc:rate:${key}`,
        points: requests,
        duration: windowMs / 1_000,
      });
      this.#limiters.set(key, limiter);
    }
    return limiter;
  }
}
