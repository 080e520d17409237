import { Inject, Injectable } from '@nestjs/common';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { type RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { retryAfterSecs, WindowCounter } from '@forecourt/admission';
import { type Caller } from '@forecourt/policy/tokens';

/** Counts the requests of each caller that has a rate limit, for the whole fleet. */
@Injectable()
export class RateLimits {
  readonly #counters = new Map<string, WindowCounter>();

  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** Counts a request. Resolves with RATE_LIMITED beyond the limit, STORE_UNREACHABLE when Redis cannot count, else null. */
  async count({ name, rateLimit }: Caller): Promise<ForecourtError | null> {
    if (rateLimit === null) return null;
    try {
      await consumeOrRefuse(this.counterOf(rateLimit), name, 'RATE_LIMITED');
      return null;
    } catch (cause) {
      if (cause instanceof ForecourtError) return cause;
      return new ForecourtError('STORE_UNREACHABLE', '', { cause });
    }
  }

  private counterOf({ requests, windowMs }: NonNullable<Caller['rateLimit']>): WindowCounter {
    const key = `${requests}/${windowMs}`;
    let counter = this.#counters.get(key);
    if (!counter) {
      const window = { most: requests, seconds: windowMs / 1_000 };
      counter = WindowCounter.inFleet(this.redis, `fc:rate:${key}`, window, 'throw');
      this.#counters.set(key, counter);
    }
    return counter;
  }
}

/** Counts so many events of `caller`. Throws an error with this code beyond the limit, and what the counter throws. */
export async function consumeOrRefuse(
  counter: Pick<WindowCounter, 'take'>,
  caller: string,
  code: ErrorCode,
  count = 1,
  detail = '',
): Promise<void> {
  const seconds = await counter.take(caller, count);
  if (seconds > 0) {
    throw new ForecourtError(code, detail, { retryAfterSecs: retryAfterSecs(seconds) });
  }
}
