import type { RpcConnection } from '@forecourt/json-rpc';
import {
  eventMethods,
  type EventFilter,
  type EventId,
  LARGEST_PAGE,
  type StoredEventRecord,
  type SubscribeEventRequest,
} from '@forecourt/contracts';
import type { EventFeed } from './event-feed.js';
import type { WrittenPage } from './event-store.js';
import { matchesEvent } from './matches-event.js';
import { notify } from './notify.js';

const LEGACY_METHOD = `ledger_${eventMethods.subscribeEvent}`;

interface Subscriber {
  readonly id: number;
  readonly connection: RpcConnection;
  readonly filter: EventFilter;
  /** False while it receives past events. */
  isLive: boolean;
}

/** Live subscriptions in the legacy dialect. */
export class LegacySubscriptions {
  readonly #open = new Map<number, Subscriber>();
  #nextId = 1;

  constructor(private readonly feed: EventFeed) {
    feed.listen((records) => this.publish(records));
  }

  /** Returns the subscription's id and a function that starts it. */
  open(
    connection: RpcConnection,
    { filter, from }: SubscribeEventRequest,
  ): { id: number; begin: () => void } {
    const id = this.#nextId++;
    const subscriber: Subscriber = { id, connection, filter, isLive: false };
    this.#open.set(id, subscriber);
    connection.closed.addEventListener('abort', () => this.#open.delete(id));
    const begin = () => {
      if (from) void this.replay(subscriber, from.id);
      else subscriber.isLive = true;
    };
    return { id, begin };
  }

  close(connection: RpcConnection, id: number): boolean {
    return this.#open.get(id)?.connection === connection && this.#open.delete(id);
  }

  private async replay(subscriber: Subscriber, from: EventId): Promise<void> {
    let cursor: EventId | null = from;
    while (this.#open.has(subscriber.id)) {
      const page: WrittenPage = this.feed.store.page({
        criterion: { key: 'All' },
        cursor,
        limit: LARGEST_PAGE,
        descending: false,
      });
      for (const text of page.records) deliver(subscriber, JSON.parse(text) as StoredEventRecord);
      cursor = page.nextCursor;
      // Set in the same turn of the event loop as the last page, so that no event is missed in between.
      subscriber.isLive = cursor === null;
      if (subscriber.isLive) return;
      await subscriber.connection.drained();
    }
  }

  private publish(records: readonly StoredEventRecord[]): void {
    for (const record of records) {
      for (const subscriber of this.#open.values()) {
        if (subscriber.isLive) deliver(subscriber, record);
      }
    }
  }
}

function deliver({ id, connection, filter }: Subscriber, result: StoredEventRecord): void {
  if (matchesEvent(result.event, filter))
    notify(connection, LEGACY_METHOD, { subscription: id, result });
}
