import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@forecourt/runtime/service';

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
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (attempt === 1) {
        logger.warn({ error: (error as Error).message }, `Waiting for ${service}`);
      }
      await delay(RETRY_MS);
    }
  }
}

/** Whether Redis did not answer. */
export function isRedisOutage(error: unknown): boolean {
  return error instanceof Error && NO_ANSWER.test(error.message);
}
