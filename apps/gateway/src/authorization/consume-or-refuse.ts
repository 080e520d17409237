import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts so many points of `caller`. Throws an error with this code beyond the limit, and what the limiter throws when it cannot count. */
export async function consumeOrRefuse(
  limiter: Pick<RateLimiterAbstract, 'consume'>,
  caller: string,
  code: ErrorCode,
  points = 1,
  detail = '',
): Promise<void> {
  try {
    await limiter.consume(caller, points);
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    const retryAfterSecs = Math.max(1, Math.ceil(cause.msBeforeNext / 1_000));
    throw new ForecourtError(code, detail, { retryAfterSecs });
  }
}
