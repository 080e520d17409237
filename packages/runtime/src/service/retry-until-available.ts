import { setTimeout as delay } from 'node:timers/promises';
import { LastingCondition } from './lasting-condition.js';
import type { Logger } from './logger.js';

const RETRY_MS = 1_000;
/** How ioredis reports that there was no answer; what Redis itself reports is another error. */
const NO_ANSWER = /max retries per request|connection is closed|command timed out|ECONN|EPIPE/i;

interface Outage {
  /** The service that does not answer, for the log. */
  readonly service: string;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
}

/** Runs something that may be repeated, until the service it needs answers. Throws every error that is not an outage. */
export async function retryUntilAvailable<T>(
  { service, isOutage, logger }: Outage,
  run: () => Promise<T>,
): Promise<T> {
  const outage = new LastingCondition(logger, {
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
