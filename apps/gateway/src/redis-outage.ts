import { setTimeout as delay } from 'node:timers/promises';
import { ForecourtError } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import type { Logger } from '@forecourt/runtime/service';

/** Passes on the answer of Redis. Throws STORE_UNREACHABLE when Redis does not answer. */
export async function orStoreUnreachable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }
}

/** Longer than a subscription takes when Redis answers. */
const WAIT_MS = 2_000;

/**
 * Subscribes before the gateway serves. If Redis does not answer in time, the gateway starts without it, for
 * what needs no Redis, and the connection subscribes as soon as Redis answers. Throws the error with which
 * Redis refuses before that.
 */
export async function subscribeAtStart(
  subscriber: RedisConnection,
  channel: string,
  logger: Logger,
): Promise<void> {
  let isAwaited = true;
  const subscribed = subscriber.subscribe(channel).catch((error: Error) => {
    if (isAwaited) throw error;
    logger.error({ channel, error: error.message }, 'channel not subscribed');
  });
  await Promise.race([subscribed, delay(WAIT_MS)]);
  isAwaited = false;
}
