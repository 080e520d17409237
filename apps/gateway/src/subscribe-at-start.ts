import { setTimeout as delay } from 'node:timers/promises';
import type { RedisConnection } from '@forecourt/runtime/redis';
import type { Logger } from '@forecourt/runtime/service';

/** Longer than a subscription takes while Redis answers. */
const WAIT_MS = 2_000;

/**
 * Subscribes before the gateway serves. Without Redis it gives up waiting, so that the gateway serves what needs no Redis;
 * the connection subscribes as soon as Redis is there. Throws what Redis refuses in the meantime.
 */
export async function subscribeAtStart(
  subscriber: Pick<RedisConnection, 'subscribe'>,
  channel: string,
  logger: Logger,
): Promise<void> {
  let isAwaited = true;
  const subscribed = subscriber.subscribe(channel).catch((error: Error) => {
    if (isAwaited) throw error;
    logger.error({ channel, error: error.message }, 'Channel not subscribed');
  });
  await Promise.race([subscribed, delay(WAIT_MS)]);
  isAwaited = false;
}
