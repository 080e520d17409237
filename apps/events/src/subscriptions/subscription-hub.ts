import { Inject, Injectable } from '@nestjs/common';
import { SubscriptionIndex } from '../event-matching/subscription-index.js';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { RpcConnection } from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { EventStream } from '../stream/event-stream.js';
import type { SharedRecord } from '../stream/shared-record.js';
import { type SubscriptionRequest, Subscription, type DeliveryTotals } from './subscription.js';

/** The subscriptions of one connection by id. Ids are not used again. */
interface ConnectionSubscriptions {
  readonly byId: Map<number, Subscription>;
  nextId: number;
}

/** All open subscriptions. Delivers the live stream to those that match and have joined it. */
@Injectable()
export class SubscriptionHub {
  readonly #byConnection = new Map<RpcConnection, ConnectionSubscriptions>();
  readonly #live = new SubscriptionIndex<Subscription>();
  readonly #removals = new Map<Subscription, () => void>();
  readonly #deliver = (subscription: Subscription) => subscription.deliver(this.#current!);
  readonly totals: DeliveryTotals = { sent: 0, slowEnded: 0 };
  #current: SharedRecord | null = null;
  #count = 0;

  constructor(
    private readonly stream: EventStream,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
  ) {
    stream.onRecord((shared) => this.publish(shared));
    stream.onReset((reason) =>
      this.endAll(new JsonRpcError(JsonRpcCode.callFailed, `Subscription ended: ${reason}`)),
    );
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Opens a subscription, which receives no events until it joins the live stream. The demand for the stream
   * must be raised.
   */
  open(connection: RpcConnection, request: SubscriptionRequest): Subscription {
    const opened = this.#byConnection.get(connection) ?? this.addConnection(connection);
    const id = opened.nextId++;
    const subscription = new Subscription(id, connection, {
      ...request,
      maxBufferedBytes: this.config.maxBufferedBytes,
      totals: this.totals,
      onEnded: () => {
        this.#removals.get(subscription)?.();
        this.#removals.delete(subscription);
        opened.byId.delete(id);
        this.#count -= 1;
        this.stream.demand.release();
        request.onEnded();
      },
    });
    opened.byId.set(id, subscription);
    this.#count += 1;
    this.stream.demand.hold();
    return subscription;
  }

  /** Starts live delivery. */
  join(subscription: Subscription): void {
    if (subscription.isEnded) return;
    this.#removals.set(subscription, this.#live.add(subscription.filter, subscription));
  }

  /** Ends a subscription without a message. Returns false for an id that is unknown on this connection. */
  cancel(connection: RpcConnection, id: number): boolean {
    const subscription = this.#byConnection.get(connection)?.byId.get(id);
    subscription?.cancel();
    return subscription !== undefined;
  }

  /** Ends all subscriptions, or those of one connection, and sends their clients the reason. */
  endAll(error: JsonRpcError, connection?: RpcConnection): void {
    const connections = connection ? [connection] : [...this.#byConnection.keys()];
    for (const each of connections) {
      const subscriptions = this.#byConnection.get(each)?.byId.values() ?? [];
      for (const subscription of [...subscriptions]) subscription.end(error);
    }
  }

  private publish(shared: SharedRecord): void {
    this.#current = shared;
    this.#live.match(shared.traits, this.#deliver);
    shared.releaseFrames();
  }

  private addConnection(connection: RpcConnection): ConnectionSubscriptions {
    const opened = { byId: new Map<number, Subscription>(), nextId: 1 };
    this.#byConnection.set(connection, opened);
    connection.closed.addEventListener('abort', () => {
      for (const subscription of [...opened.byId.values()]) subscription.cancel();
      this.#byConnection.delete(connection);
    });
    return opened;
  }
}
