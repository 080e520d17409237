import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@forecourt/runtime/service';

const RETRY_MS = 1_000;
/** How ioredis says that there was no answer; what Redis itself says is another error. */
const NO_ANSWER = /max retries per request|connection is closed|command timed out|ECONN|EPIPE/i;

/** Does something in Redis that may be done again, until Redis has answered. */
export async function untilRedisAnswers<T>(run: () => Promise<T>, logger: Logger): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error) || !NO_ANSWER.test(error.message)) throw error;
      if (attempt === 1) logger.warn({ error: error.message }, 'waiting for Redis');
      await delay(RETRY_MS);
    }
  }
}
