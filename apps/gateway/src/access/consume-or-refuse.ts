import type { WindowCounter } from '@forecourt/admission';
import { retryAfterSecs, type TokenBuckets } from '@forecourt/resilience';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';

/**
 * Counts so many events of `caller`. Throws an error with this code beyond the limit, and what the counter
 * throws.
 */
export async function consumeOrRefuse(
  counter: WindowCounter | TokenBuckets,
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
