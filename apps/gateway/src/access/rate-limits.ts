import { Inject, Injectable } from '@nestjs/common';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { type RateLimiterAbstract, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '@forecourt/policy/tokens';

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

/** Counts points of `caller`. Throws an error with this code beyond the limit, and the limiter's error if it cannot count. */
export async function consumeOrRefuse(
  limiter: Pick<RateLimiterAbstract, 'consume'>,
  caller: string,
  code: ErrorCode,
  points = 1,
): Promise<void> {
  try {
    await limiter.consume(caller, points);
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    const retryAfterSecs = Math.max(1, Math.ceil(cause.msBeforeNext / 1_000));
    throw new ForecourtError(code, '', { retryAfterSecs });
  }
}
