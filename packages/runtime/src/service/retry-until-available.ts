import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.js';
import { OutageLog } from './outage-log.js';

const RETRY_MS = 1_000;
/** Errors by which ioredis reports that Redis did not answer; Redis's own errors are of other types. */
const NO_ANSWER = /max retries per request|connection is closed|command timed out|ECONN|EPIPE/i;

interface Outage {
  /** Name of the service that does not answer, for the log. */
  readonly service: string;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
}

/**
 * Repeats an idempotent function until the service that it needs answers. Throws every error that is not an
 * outage.
 */
export async function retryUntilAvailable<T>(
  { service, isOutage, logger }: Outage,
  run: () => Promise<T>,
): Promise<T> {
  const outage = new OutageLog(logger, {
    begins: `Waiting for ${service}`,
    goesOn: `Still waiting for ${service}`,
    ends: `No longer waiting for ${service}`,
  });
  for (;;) {
    try {
      const result = await run();
      outage.end();
      return result;
    } catch (error) {
      if (!isOutage(error)) throw error;
      outage.report({ error: (error as Error).message });
      await delay(RETRY_MS);
    }
  }
}

/** Whether Redis did not answer. */
export function isRedisOutage(error: unknown): boolean {
  return error instanceof Error && NO_ANSWER.test(error.message);
}
