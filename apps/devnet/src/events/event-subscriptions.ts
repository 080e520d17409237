import type { RpcConnection } from '@forecourt/json-rpc';
import {
  eventMethods,
  type EventFilter,
  type EventId,
  LARGEST_PAGE,
  type StoredEventRecord,
  type SubscribeEventRequest,
} from '@forecourt/contracts';
import type { FullNode } from '../engine/full-node.js';
import type { EventPredicate } from './read-event-filter.js';
import { showEvent } from './show-event.js';
import type { EventFeed } from './event-feed.js';
import type { WrittenPage } from './event-store.js';
import { matchesEvent } from './matches-event.js';

const IOTA_METHOD = 'iotax_subscribeEvent';
const LEGACY_METHOD = `ledger_${eventMethods.subscribeEvent}`;
/** Limit of a client's unread bytes; above it the client is disconnected. */
const MAX_BUFFERED_BYTES = 64 * 2 ** 20;

interface Subscription {
  readonly connection: RpcConnection;
  readonly matches: EventPredicate;
}

/** Live subscriptions to Move events in the current IOTA dialect. */
export class IotaSubscriptions {
  readonly #open = new Map<number, Subscription>();
  #nextId = 1;

  constructor(fullNode: FullNode) {
    fullNode.changes.on('executed', ({ events }) => {
      for (const event of events) {
        for (const [subscription, { connection, matches }] of this.#open) {
          if (connection.closed.aborted) this.#open.delete(subscription);
          if (connection.closed.aborted || !matches(event)) continue;
          if (connection.bufferedBytes > MAX_BUFFERED_BYTES) connection.terminate();
          const params = { subscription, result: showEvent(event) };
          connection.send(JSON.stringify({ jsonrpc: '2.0', method: IOTA_METHOD, params }));
        }
      }
    });
  }

  /** Returns the subscription's id and a function that starts it. */
  open(connection: RpcConnection, matches: EventPredicate): { id: number; begin: () => void } {
    const id = this.#nextId++;
    const begin = () => {
      if (connection.closed.aborted) return;
      this.#open.set(id, { connection, matches });
    };
    return { id, begin };
  }

  close(connection: RpcConnection, id: number): boolean {
    return this.#open.get(id)?.connection === connection && this.#open.delete(id);
  }
}

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
  if (!matchesEvent(result.event, filter)) return;
  if (connection.bufferedBytes > MAX_BUFFERED_BYTES) return connection.terminate();
  const params = { subscription: id, result };
  connection.send(JSON.stringify({ jsonrpc: '2.0', method: LEGACY_METHOD, params }));
}
