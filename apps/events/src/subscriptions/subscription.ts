import { compareEventIds, type EventFilter, type EventId, nextEventId } from '@forecourt/contracts';
import { JsonRpcCode, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';
import type { SharedRecord } from '../stream/shared-record.js';

/** Counts what all subscriptions together were sent; a plain number costs nothing on the way of an event. */
export interface DeliveryTally {
  sent: number;
  /** Ended because their client read too slowly. */
  slowEnded: number;
}

/** One subscription of one client. */
export class Subscription {
  #over = false;

  constructor(
    /** Unique on its connection. */
    readonly id: number,
    /** The method it was made by; its notifications carry the same name. */
    readonly method: string,
    readonly filter: EventFilter,
    /** Nothing before it is sent. */
    private next: EventId,
    readonly connection: RpcConnection,
    private readonly maxBufferedBytes: number,
    private readonly tally: DeliveryTally,
    private readonly onOver: (subscription: Subscription) => void,
  ) {}

  get isOver(): boolean {
    return this.#over;
  }

  /** Sends a matching event, unless it was sent before. A client that has left too much lying is told and cut off. */
  deliver(shared: SharedRecord): void {
    const { id } = shared.record;
    if (this.#over || compareEventIds(id, this.next) < 0) return;
    if (this.connection.bufferedBytes > this.maxBufferedBytes) {
      this.tally.slowEnded += 1;
      return this.end(
        new JsonRpcError(
          JsonRpcCode.slowConsumer,
          'Subscription ended: the client reads more slowly than events arrive',
        ),
      );
    }
    this.next = nextEventId(id);
    this.tally.sent += 1;
    this.connection.sendFrame(shared.frame(this.method, this.id));
  }

  /** Tells the client that no more will come, and why. */
  end({ code, message }: JsonRpcError): void {
    if (this.#over) return;
    const params = { subscription: this.id, error: { code, message } };
    this.connection.send(JSON.stringify({ jsonrpc: '2.0', method: this.method, params }));
    this.leave();
  }

  /** Without a word: the client has asked for it, or is gone. */
  leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.onOver(this);
  }
}
