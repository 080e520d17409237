import type { EventCriterion, EventFilter } from './event-conditions.js';
import {
  type EventsConnection,
  type LedgerEventsOptions,
  readEventsConnection,
} from './events-connection.js';
import type { StoredEventRecord } from './event-record.js';
import { queryEvents, type EventPage, type QueryOptions, readEventPage } from './query-events.js';
import { subscribeEvents, type SubscribeOptions } from './subscribe-events.js';

/**
 * The ledger's events. Every method throws `LedgerEventsError` and the reason of a signal that aborts. To end
 * a query or a subscription, leave the loop with `break` or `return`, or abort the signal.
 */
export class LedgerEvents {
  readonly #connection: EventsConnection;

  /** Throws `TypeError` for an address, a token or a time limit that cannot be used. */
  constructor(options: LedgerEventsOptions) {
    this.#connection = readEventsConnection(options);
  }

  /** Every past event that satisfies the criterion; pages are read when the loop reaches them. */
  query(
    criterion: EventCriterion,
    options?: QueryOptions,
  ): AsyncGenerator<StoredEventRecord, void, undefined> {
    return queryEvents(this.#connection, criterion, options);
  }

  /** One page, for programs that keep its cursor. */
  readPage(criterion: EventCriterion, options?: QueryOptions): Promise<EventPage> {
    return readEventPage(this.#connection, criterion, options);
  }

  /**
   * Events that match the filter as they happen, each once, across lost connections. Throws `TypeError`
   * without a WebSocket.
   */
  subscribe(
    filter: EventFilter,
    options?: SubscribeOptions,
  ): AsyncGenerator<StoredEventRecord, never, undefined> {
    return subscribeEvents(this.#connection, filter, options);
  }
}
