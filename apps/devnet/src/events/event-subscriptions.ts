import type { RpcConnection } from '@forecourt/json-rpc';
import {
  eventMethods,
  type EventFilter,
  type EventId,
  LARGEST_PAGE,
  type StoredEventRecord,
  type SubscribeEventRequest,
} from '@forecourt/contracts';
import { compileFilter, describeEvent, SubscriptionIndex } from '@forecourt/event-matching';
import type { FullNode } from '../engine/full-node.js';
import type { EventPredicate } from './read-event-filter.js';
import { showEvent } from './show-event.js';
import type { EventFeed } from './event-feed.js';

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
}

/** Live subscriptions in the legacy dialect. */
export class LegacySubscriptions {
  readonly #live = new SubscriptionIndex<Subscriber>();
  readonly #ends = new WeakMap<RpcConnection, Map<number, () => void>>();
  #nextId = 1;

  constructor(private readonly feed: EventFeed) {
    feed.listen((records) => this.publish(records));
  }

  /** Returns the subscription's id and a function that starts it. */
  open(
    connection: RpcConnection,
    request: SubscribeEventRequest,
  ): { id: number; begin: () => void } {
    const subscriber = { id: this.#nextId++, connection };
    const ends = this.endsOf(connection);
    ends.set(subscriber.id, () => undefined);
    const join = () => {
      if (connection.closed.aborted || !ends.has(subscriber.id)) return;
      ends.set(subscriber.id, this.#live.add(request.filter, subscriber));
    };
    const { from } = request;
    const begin = from ? () => void this.replay(subscriber, request.filter, from.id, join) : join;
    return { id: subscriber.id, begin };
  }

  close(connection: RpcConnection, id: number): boolean {
    const end = this.#ends.get(connection)?.get(id);
    end?.();
    return this.#ends.get(connection)?.delete(id) ?? false;
  }

  private endsOf(connection: RpcConnection): Map<number, () => void> {
    const known = this.#ends.get(connection);
    if (known) return known;
    const ends = new Map<number, () => void>();
    this.#ends.set(connection, ends);
    connection.closed.addEventListener('abort', () => {
      for (const end of ends.values()) end();
    });
    return ends;
  }

  private async replay(
    subscriber: Subscriber,
    filter: EventFilter,
    from: EventId,
    join: () => void,
  ): Promise<void> {
    const matches = compileFilter(filter);
    let cursor = from;
    for (;;) {
      const page = this.feed.store.page({
        criterion: { key: 'All' },
        cursor,
        limit: LARGEST_PAGE,
        descending: false,
      });
      for (const text of page.records) {
        const record = JSON.parse(text) as StoredEventRecord;
        if (matches(describeEvent(record.event))) send(subscriber, record);
      }
      // Runs in the same turn of the event loop as the last page, so that no event is missed in between.
      if (page.nextCursor === null) return join();
      cursor = page.nextCursor;
      await subscriber.connection.drained();
      if (subscriber.connection.closed.aborted) return;
    }
  }

  private publish(records: readonly StoredEventRecord[]): void {
    if (this.#live.size === 0) return;
    for (const record of records) {
      this.#live.match(describeEvent(record.event), (subscriber) => send(subscriber, record));
    }
  }
}

function send({ id, connection }: Subscriber, result: StoredEventRecord): void {
  if (connection.bufferedBytes > MAX_BUFFERED_BYTES) return connection.terminate();
  const params = { subscription: id, result };
  connection.send(JSON.stringify({ jsonrpc: '2.0', method: LEGACY_METHOD, params }));
}
