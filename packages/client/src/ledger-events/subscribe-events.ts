import { randomDelay, wait } from '../calls/delays.js';
import type { EventFilter } from './event-conditions.js';
import { type EventPosition, EventSubscription, positionOf } from './event-subscription.js';
import type { EventsConnection } from './events-connection.js';
import type { StoredEventRecord } from './event-record.js';
import { LedgerEventsError, type LedgerEventsErrorCode } from './ledger-events-error.js';

export interface SubscribeOptions {
  /**
   * The start: the id of the last received event with its `txDigest`, or a `nextCursor`. Absent: new events
   * only. A position of another ledger, such as a test network that began anew, ends the subscription with
   * `INVALID_PARAMS`.
   */
  readonly from?: EventPosition | undefined;
  /** Ends the subscription; the iterator throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time without a connection before the subscription ends, in ms; default 5 minutes. */
  readonly giveUpAfterMs?: number | undefined;
  /** Called each time that a subscription is in place: at the beginning, and after each lost connection. */
  readonly onConnect?: (() => void) | undefined;
  /** Told why the connection has ended or could not be opened, each time before another one is opened. */
  readonly onDisconnect?: ((reason: LedgerEventsError) => void) | undefined;
}

const DEFAULT_GIVE_UP_AFTER_MS = 300_000;
/** After a connection that lasted this long, even without events, the next failure counts as the first. */
const LASTING_MS = 10_000;
/** Errors after which another connection may succeed. */
const TEMPORARY: ReadonlySet<LedgerEventsErrorCode> = new Set<LedgerEventsErrorCode>([
  'UNREACHABLE',
  'TIMEOUT',
  'TOO_MANY_REQUESTS',
  'SLOW_CONSUMER',
  'SHUTTING_DOWN',
]);

/**
 * Events that match the filter, each once, in the ledger's order, until the signal aborts or the loop ends.
 * Whenever its connection ends, it opens another one and resumes after the last event. Throws
 * `LedgerEventsError` when that cannot help or takes too long, and the reason of the signal.
 */
export async function* subscribeEvents(
  connection: EventsConnection,
  filter: EventFilter,
  options: SubscribeOptions = {},
): AsyncGenerator<StoredEventRecord, never, undefined> {
  const { signal, giveUpAfterMs = DEFAULT_GIVE_UP_AFTER_MS } = options;
  const { onConnect, onDisconnect } = options;
  let position = options.from ?? null;
  let failures = 0;
  let connectedAt = performance.now();
  for (;;) {
    let subscription: EventSubscription | null = null;
    let openedAt = Infinity;
    try {
      subscription = await EventSubscription.open(connection, filter, position, signal);
      position = subscription.position;
      openedAt = performance.now();
      onConnect?.();
      for (;;) {
        const record = await subscription.next(signal);
        position = positionOf(record);
        failures = 0;
        yield record;
      }
    } catch (error) {
      const now = performance.now();
      if (subscription !== null) connectedAt = now;
      if (now - openedAt > LASTING_MS) failures = 0;
      if (!isTemporary(error, subscription) || now - connectedAt > giveUpAfterMs) throw error;
      onDisconnect?.(error);
    } finally {
      subscription?.close();
    }
    await wait(randomDelay(failures), signal);
    failures += 1;
  }
}

function isTemporary(
  error: unknown,
  subscription: EventSubscription | null,
): error is LedgerEventsError {
  if (!(error instanceof LedgerEventsError)) return false;
  // Before the subscription, the service may just be starting. Afterwards it cannot continue from this
  // position.
  return TEMPORARY.has(error.code) || (error.code === 'CALL_FAILED' && subscription === null);
}
