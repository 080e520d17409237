import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { untilRecent } from '@forecourt/runtime/async';
import type { ExecutionDependencies } from './execution-dependencies.js';

/**
 * Whether the claim is still this transaction's and not quarantined, by a recent answer of Redis. `askedAt`: time
 * of the last request to Redis, on the clock of `performance.now()`; absent: asks now. A process that was paused
 * since then asks again, since a Redis that has lost the claim may have bound the coins to another transaction.
 * Throws Redis's errors.
 */
export async function isStillBound(
  { steps, submitWithinMs }: Pick<ExecutionDependencies, 'steps' | 'submitWithinMs'>,
  { sponsor, reservationId, digest, fence }: ExecuteTransactionJob,
  askedAt = -Infinity,
): Promise<boolean> {
  if (performance.now() - askedAt <= submitWithinMs) return true;
  const begun = await untilRecent(submitWithinMs, () =>
    steps.begin(sponsor, { reservationId, digest, fence }),
  );
  return begun !== null && begun.quarantine === null;
}
