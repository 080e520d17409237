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
import type { SharedRecord } from '../stream/shared-record.js';

export interface SubscriptionRequest {
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

/** Totals over all subscriptions; plain numbers, because every delivered event updates them. */
export interface DeliveryTotals {
  sent: number;
  /** Subscriptions ended because their client reads too slowly. */
  slowEnded: number;
}
