import { FIRST_EVENT_ID, type SubscribeEventRequest } from '@forecourt/contracts';
import { measureFilter } from '@forecourt/event-matching';
import { ConnectionDropped, type JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';
import { type DeliveryTally, Subscription } from './subscription.js';
import type { SubscriptionHub } from './subscription-hub.js';
import type { SubscriptionQuota } from './subscription-quota.js';

/** Who has subscribed to what: every connection's subscriptions by their ids. */
export class ClientSubscriptions {
  readonly #byConnection = new Map<RpcConnection, Map<number, Subscription>>();
  readonly #nextIds = new WeakMap<RpcConnection, number>();
  readonly tally: DeliveryTally = { sent: 0, slowEnded: 0 };
  #count = 0;

  constructor(
    private readonly hub: SubscriptionHub,
    private readonly quota: SubscriptionQuota,
    /** A subscription whose client has left more lying is ended. */
    private readonly maxBufferedBytes: number,
  ) {}

  get count(): number {
    return this.#count;
  }

  /** A subscription that hears nothing yet. Throws -32602 for a filter that is too large, -32006 beyond the limits. */
  open(connection: RpcConnection, method: string, request: SubscribeEventRequest): Subscription {
    if (connection.signal.aborted) throw new ConnectionDropped();
    const release = this.quota.take(connection, measureFilter(request.filter));
    const own = this.ownOf(connection);
    const id = this.#nextIds.get(connection) ?? 1;
    this.#nextIds.set(connection, id + 1);
    const subscription = new Subscription(
      ...([id, method, request.filter, request.from ?? FIRST_EVENT_ID, connection] as const),
      this.maxBufferedBytes,
      this.tally,
      () => {
        this.hub.leave(subscription);
        own.delete(id);
        this.#count -= 1;
        release();
      },
    );
    own.set(id, subscription);
    this.#count += 1;
    return subscription;
  }

  /** False for an id that is unknown on this connection. */
  close(connection: RpcConnection, id: number): boolean {
    const subscription = this.#byConnection.get(connection)?.get(id);
    subscription?.leave();
    return subscription !== undefined;
  }

  /** All there are, or those of one connection. */
  endAll(error: JsonRpcError, connection?: RpcConnection): void {
    const connections = connection ? [connection] : [...this.#byConnection.keys()];
    for (const each of connections) {
      const own = this.#byConnection.get(each)?.values() ?? [];
      for (const subscription of [...own]) subscription.end(error);
    }
  }

  private ownOf(connection: RpcConnection): Map<number, Subscription> {
    let own = this.#byConnection.get(connection);
    if (own === undefined) {
      const opened = new Map<number, Subscription>();
      own = opened;
      this.#byConnection.set(connection, opened);
      connection.closed.addEventListener('abort', () => {
        for (const subscription of [...opened.values()]) subscription.leave();
        this.#byConnection.delete(connection);
      });
    }
    return own;
  }
}
