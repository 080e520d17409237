import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { FIRST_EVENT_ID, type SubscribeEventRequest } from '@forecourt/contracts';
import { measureFilterCost } from '@forecourt/event-matching';
import {
  ConnectionDropped,
  JsonRpcCode,
  JsonRpcError,
  type RpcConnection,
} from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import type { CalledMethod } from '../dialects/called-method.js';
import { EventStream } from '../stream/event-stream.js';
import { type DeliveryTotals, Subscription } from './subscription.js';
import { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';

/** All subscriptions by connection and id. */
@Injectable()
export class ClientSubscriptions implements OnModuleInit {
  readonly #byConnection = new Map<RpcConnection, Map<number, Subscription>>();
  readonly #nextIds = new WeakMap<RpcConnection, number>();
  readonly totals: DeliveryTotals = { sent: 0, slowEnded: 0 };
  #count = 0;

  constructor(
    private readonly stream: EventStream,
    private readonly hub: SubscriptionHub,
    private readonly quota: SubscriptionQuota,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
  ) {}

  onModuleInit(): void {
    this.stream.onReset((reason) =>
      this.endAll(new JsonRpcError(JsonRpcCode.callFailed, `Subscription ended: ${reason}`)),
    );
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Opens a subscription that gets no events yet. Throws -32602 for a filter that is too large, -32006 beyond the
   * limits, and `ConnectionDropped`.
   */
  open(
    connection: RpcConnection,
    called: CalledMethod,
    request: SubscribeEventRequest,
  ): Subscription {
    if (connection.signal.aborted) throw new ConnectionDropped();
    const { filter, from } = request;
    const release = this.quota.take(connection, measureFilterCost(filter));
    const own = this.getOrCreateSubscriptions(connection);
    const id = this.#nextIds.get(connection) ?? 1;
    this.#nextIds.set(connection, id + 1);
    const subscription = new Subscription({
      id,
      called,
      filter,
      from: from ?? FIRST_EVENT_ID,
      connection,
      maxBufferedBytes: this.config.maxBufferedBytes,
      totals: this.totals,
      onEnded: () => {
        this.hub.leave(subscription);
        own.delete(id);
        this.#count -= 1;
        release();
      },
    });
    own.set(id, subscription);
    this.#count += 1;
    return subscription;
  }

  /** Returns false for an id that is unknown on this connection. */
  close(connection: RpcConnection, id: number): boolean {
    const subscription = this.#byConnection.get(connection)?.get(id);
    subscription?.cancel();
    return subscription !== undefined;
  }

  /** Ends all subscriptions, or those of one connection. */
  endAll(error: JsonRpcError, connection?: RpcConnection): void {
    const connections = connection ? [connection] : [...this.#byConnection.keys()];
    for (const each of connections) {
      const own = this.#byConnection.get(each)?.values() ?? [];
      for (const subscription of [...own]) subscription.end(error);
    }
  }

  private getOrCreateSubscriptions(connection: RpcConnection): Map<number, Subscription> {
    let own = this.#byConnection.get(connection);
    if (own === undefined) {
      const opened = new Map<number, Subscription>();
      own = opened;
      this.#byConnection.set(connection, opened);
      connection.closed.addEventListener('abort', () => {
        for (const subscription of [...opened.values()]) subscription.cancel();
        this.#byConnection.delete(connection);
      });
    }
    return own;
  }
}
