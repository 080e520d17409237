import { Inject, Injectable } from '@nestjs/common';
import { SubscriptionIndex } from '../event-matching/subscription-index.js';
import {
  type CalledMethod,
  compareEventIds,
  type EventFilter,
  type EventId,
  JsonRpcCode,
  JsonRpcError,
  nextEventId,
} from '@forecourt/contracts';
import type { RpcConnection } from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { EventStream } from '../stream/event-stream.js';
import type { SharedRecord } from '../stream/shared-record.js';

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

/** Totals over all subscriptions; plain numbers, because every delivered event updates them. */
interface DeliveryTotals {
  sent: number;
  /** Subscriptions ended because their client reads too slowly. */
  slowEnded: number;
}

interface SubscriptionRequest {
  /** The method that created the subscription; its notifications carry the same name. */
  readonly called: CalledMethod;
  readonly filter: EventFilter;
  /** No event before this one is sent. */
  readonly from: EventId;
  readonly onEnded: () => void;
}

interface SubscriptionOptions extends SubscriptionRequest {
  /** The subscription ends when its client has left more bytes unread. */
  readonly maxBufferedBytes: number;
  readonly totals: DeliveryTotals;
}

/** One subscription of one client. */
export class Subscription {
  readonly filter: EventFilter;
  #next: EventId;
  #isEnded = false;

  constructor(
    /** Unique on its connection. */
    readonly id: number,
    readonly connection: RpcConnection,
    private readonly options: SubscriptionOptions,
  ) {
    this.filter = options.filter;
    this.#next = options.from;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Sends a matching event unless it has been sent before. Ends the subscription if its client reads too
   * slowly, or if the event cannot be written in its format.
   */
  deliver(shared: SharedRecord): void {
    const { id } = shared.record;
    const { maxBufferedBytes, totals } = this.options;
    if (this.#isEnded || compareEventIds(id, this.#next) < 0) return;
    if (this.connection.bufferedBytes > maxBufferedBytes) {
      totals.slowEnded += 1;
      return this.end(
        new JsonRpcError(
          JsonRpcCode.slowConsumer,
          'Subscription ended: client reads more slowly than events arrive; read faster or subscribe to less',
        ),
      );
    }
    const frame = this.frameOf(shared);
    if (frame === null) return;
    this.#next = nextEventId(id);
    totals.sent += 1;
    this.connection.sendFrame(frame);
  }

  /** Sends the client the end of the subscription with its reason. */
  end({ code, message }: JsonRpcError): void {
    if (this.#isEnded) return;
    const { name: method } = this.options.called;
    const params = { subscription: this.id, error: { code, message } };
    this.connection.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
    this.cancel();
  }

  /** Ends it without a message: the client has unsubscribed or disconnected. */
  cancel(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.options.onEnded();
  }

  /** Null if the subscription has ended instead. */
  private frameOf(shared: SharedRecord): Buffer | null {
    try {
      return shared.frame(this.options.called, this.id);
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      this.end(error);
      return null;
    }
  }
}
