import { withinTime } from '../calls/send-request.js';
import { Unanswered } from '../calls/unanswered.js';
import { orAborted, throwIfAborted } from '../calls/delays.js';
import type { EventFilter } from './event-conditions.js';
import type { EventsConnection } from './events-connection.js';
import type { EventId, StoredEventRecord } from './event-record.js';
import { fromRpcError, LedgerEventsError, type RpcError } from './ledger-events-error.js';
import type { EventCursor, EventPage } from './query-events.js';
import { RpcSocket } from './rpc-socket.js';

/**
 * A `nextCursor` (that event comes first) or the id of the last received event (the event after it comes
 * first), with its `txDigest`: by it the service recognises the ledger.
 */
export type EventPosition = EventCursor | (EventId & { readonly txDigest?: string });

/** The position of a received event. */
export function positionOf({ id, txDigest }: StoredEventRecord): EventPosition {
  return { txSeq: id.txSeq, eventSeq: id.eventSeq, txDigest };
}

/** Maximum number of waiting events. With more, the subscription ends, and is resumed later. */
export const MAX_WAITING = 1_000;
/** Before the first event of a ledger. */
const BEGINNING: EventPosition = 0;

interface EventNotification {
  readonly result?: StoredEventRecord;
  readonly error?: RpcError;
}

/** A subscription on one connection. It ends with the connection. */
export class EventSubscription {
  readonly #socket: RpcSocket;
  readonly #waiting: StoredEventRecord[] = [];
  #position: EventPosition = BEGINNING;
  #last: EventId | null = null;
  #end: LedgerEventsError | null = null;
  #wake: () => void = () => undefined;

  private constructor(connection: EventsConnection) {
    const { webSocket, webSocketUrl, silenceMs, timeoutMs } = connection;
    this.#socket = new RpcSocket(webSocket(webSocketUrl), {
      silenceMs,
      timeoutMs,
      onNotification: (params) => this.take(params as EventNotification),
      onEnd: (reason) => this.finish(reason),
    });
  }

  /**
   * Subscribes to the events after a position; null: to new events. Throws `LedgerEventsError` and the reason
   * of the signal.
   */
  static async open(
    connection: EventsConnection,
    filter: EventFilter,
    position: EventPosition | null,
    signal: AbortSignal | undefined,
  ): Promise<EventSubscription> {
    throwIfAborted(signal);
    const { timeoutMs, webSocketUrl } = connection;
    const subscription = new EventSubscription(connection);
    try {
      await withinTime(timeoutMs, signal, webSocketUrl, () => subscription.start(filter, position));
      return subscription;
    } catch (error) {
      subscription.close();
      if (!(error instanceof Unanswered)) throw error;
      throw new LedgerEventsError(error.code, error.message, { cause: error });
    }
  }

  /** The start of this subscription, from which another one can resume while no event has arrived. */
  get position(): EventPosition {
    return this.#position;
  }

  /**
   * The next event. Throws the reason why the subscription ended, once all earlier events are taken, and the
   * reason of the signal.
   */
  async next(signal: AbortSignal | undefined): Promise<StoredEventRecord> {
    for (;;) {
      throwIfAborted(signal);
      const record = this.#waiting.shift();
      if (record !== undefined) return record;
      if (this.#end !== null) throw this.#end;
      const arrived = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await orAborted(arrived, signal);
    }
  }

  close(): void {
    this.#socket.close();
  }

  private async start(filter: EventFilter, position: EventPosition | null): Promise<void> {
    await this.#socket.opened;
    this.#position = position ?? (await this.findNewest());
    if (typeof this.#position === 'object') this.#last = this.#position;
    await this.#socket.call('ledger_subscribeEvent', [filter, this.#position]);
  }

  /** Without a position, a subscription that is interrupted before its first event could not be resumed. */
  private async findNewest(): Promise<EventPosition> {
    const page = await this.#socket.call('ledger_getEvents', ['All', null, 1, 'Descending']);
    const newest = (page as Partial<EventPage> | null)?.data?.[0];
    return newest === undefined ? BEGINNING : positionOf(newest);
  }

  private take({ result, error }: EventNotification): void {
    if (error) return this.stop(fromRpcError(error));
    if (!result?.id || (this.#last !== null && compare(result.id, this.#last) <= 0)) return;
    if (this.#waiting.length >= MAX_WAITING) {
      const message = `More than ${MAX_WAITING} events are waiting to be taken`;
      return this.stop(new LedgerEventsError('SLOW_CONSUMER', message));
    }
    this.#last = result.id;
    this.#waiting.push(result);
    this.#wake();
  }

  private stop(reason: LedgerEventsError): void {
    this.finish(reason);
    this.#socket.close();
  }

  private finish(reason: LedgerEventsError): void {
    this.#end ??= reason;
    this.#wake();
  }
}

function compare(a: EventId, b: EventId): number {
  return a.txSeq - b.txSeq || a.eventSeq - b.eventSeq;
}
