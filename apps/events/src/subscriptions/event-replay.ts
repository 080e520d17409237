import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  compareEventIds,
  type EventCriterion,
  type EventId,
  type EventPage,
  JsonRpcCode,
  JsonRpcError,
  LARGEST_PAGE,
  nextEventId,
} from '@forecourt/contracts';
import type { RpcConnection } from '@forecourt/json-rpc';
import { compileFilter } from '../event-matching/compile-filter.js';
import { findCoveringCriterion } from '../event-matching/event-criteria.js';
import { eventsLimits, FairBulkhead } from '@forecourt/resilience';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { EventStream } from '../stream/event-stream.js';
import { SharedRecord } from '../stream/shared-record.js';
import { NodeCalls, type NodeSession, QueryTooExpensive } from '../upstreams/node-calls.js';
import {
  PAST_EVENTS,
  type PastEvents,
  OtherLedgerIndexed,
  type PastEventsSource,
  QueryUnanswerable,
} from '../upstreams/upstreams.js';
import { estimateRecordBytes } from '../upstreams/event-source.js';
import { CriterionUnanswerable } from '../upstreams/upstream-errors.js';
import { SubscriptionHub, type Subscription } from './subscription-hub.js';

/** Events sent before the client gets time to read. */
const CHUNK = 100;
/** Concurrent replays of one connection: each keeps a page in memory until its client has read it. */
const CONCURRENCY = eventsLimits.replays.default;

/** Sends past events to a new subscription until it has caught up with the live stream. */
@Injectable()
export class EventReplay {
  readonly #slots = new WeakMap<RpcConnection, FairBulkhead>();

  constructor(
    @Inject(PAST_EVENTS) private readonly past: PastEvents,
    private readonly nodeCalls: NodeCalls,
    private readonly stream: EventStream,
    private readonly hub: SubscriptionHub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends all events from `from` on, at the client's speed, then joins the live stream. Waits while the
   * upstream is unavailable; an error that a retry cannot help ends the subscription.
   */
  start(subscription: Subscription, from: EventId): void {
    this.run(subscription, from).catch((error: unknown) => {
      subscription.end(error instanceof JsonRpcError ? error : this.internalError(error));
    });
  }

  private async run(subscription: Subscription, from: EventId): Promise<void> {
    const matches = compileFilter(subscription.filter);
    const reader = new ReplayReader(this.past, subscription);
    const slots = this.getOrCreateSlots(subscription.connection);
    let next = from;
    while (!subscription.isEnded) {
      const recent = this.stream.recent?.since(next) ?? null;
      if (recent !== null && recent.length <= CHUNK) {
        // In one turn of the event loop, so that no live event can come between the replay and the live
        // stream.
        for (const shared of recent) if (matches(shared.traits)) deliver(subscription, shared);
        return this.hub.join(subscription);
      }
      next = await slots.run([], async () => {
        const session = this.nodeCalls.openSession(subscription.connection, {});
        try {
          const page = recent
            ? { records: recent, next: nextEventId(recent.at(-1)!.record.id) }
            : await reader.read(next, this.stream.last, session);
          await send(
            subscription,
            page.records.filter(({ traits }) => matches(traits)),
          );
          return page.next;
        } finally {
          session.end();
        }
      });
    }
  }

  private internalError(error: unknown): JsonRpcError {
    const incident = randomUUID();
    this.logger.error({ incident, error: (error as Error)?.stack }, 'Replay failed');
    const message = `Subscription ended: internal error ${incident}`;
    return new JsonRpcError(JsonRpcCode.internal, message);
  }

  private getOrCreateSlots(connection: RpcConnection): FairBulkhead {
    const slots =
      this.#slots.get(connection) ?? new FairBulkhead(CONCURRENCY, { waiting: Infinity });
    this.#slots.set(connection, slots);
    return slots;
  }
}

function deliver(subscription: Subscription, shared: SharedRecord): void {
  subscription.deliver(shared);
  shared.releaseFrames();
}

async function send(subscription: Subscription, records: readonly SharedRecord[]): Promise<void> {
  for (let index = 0; index < records.length && !subscription.isEnded; index += CHUNK) {
    for (const shared of records.slice(index, index + CHUNK)) deliver(subscription, shared);
    await subscription.connection.drained();
  }
}

const RETRY_MS = 200;
/** Pause while a node does not have, or cannot show, the next events. */
const LACK_RETRY_MS = 2_000;
const LACK_RETRIES = 4;

interface ReplayPage {
  readonly records: readonly SharedRecord[];
  /** The start of the next page: all earlier events are in this page or in those before. */
  readonly next: EventId;
}

/** Reads the past events of one subscription, page by page. */
class ReplayReader {
  /** Number of consecutive attempts in which nodes lacked the next events. */
  #lacks = 0;
  /** Events per page; smaller after a page that exceeds the maximum size of a node's response. */
  #pageSize = LARGEST_PAGE;
  readonly #criterion: EventCriterion;

  constructor(
    private readonly past: PastEvents,
    private readonly subscription: Subscription,
  ) {
    this.#criterion = findCoveringCriterion(subscription.filter);
  }

  /**
   * Returns the page that begins at `next`; after a pause, an empty one if the upstream is unavailable or has
   * nothing new. `tip` is the last event of the live stream, null if there has been none. Throws an error
   * that a retry cannot help: the page needs too many node calls, a page of one event is too big, it is
   * pruned, no node can show it after some attempts, or the index holds another ledger.
   */
  async read(next: EventId, tip: EventId | null, session: NodeSession): Promise<ReplayPage> {
    try {
      const page = await this.past.query((source) => this.readFrom(source, next, tip, session));
      this.#lacks = 0;
      if (compareEventIds(page.next, next) > 0) return page;
    } catch (error) {
      if (!(error instanceof JsonRpcError) || this.isFinal(error)) throw error;
      if (this.subscription.isEnded) return { records: [], next };
      if (error instanceof QueryUnanswerable) await sleep(LACK_RETRY_MS);
    }
    await sleep(RETRY_MS);
    return { records: [], next };
  }

  /** Whether a retry cannot help. Adapts the next attempt to the failure. */
  private isFinal(error: JsonRpcError): boolean {
    if (error instanceof QueryUnanswerable) {
      this.#lacks += 1;
      const isPruned = error.lack.kind === 'pruned' && error.isCertain;
      return isPruned || this.#lacks > LACK_RETRIES;
    }
    if (error.code !== JsonRpcCode.responseTooBig) {
      return error instanceof QueryTooExpensive || error instanceof OtherLedgerIndexed;
    }
    const isSmallest = this.#pageSize === 1;
    this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 2));
    return isSmallest;
  }

  private async readFrom(
    source: PastEventsSource,
    next: EventId,
    tip: EventId | null,
    session: NodeSession,
  ): Promise<ReplayPage> {
    // Checked before the page is read: once a node shows the tip, its pages contain every event up to the
    // tip.
    const showsTip = tip !== null && (await shows(source, tip, session));
    const page = await this.query(source, next, session);
    for (const record of page.data) session.addMemory(estimateRecordBytes(record));
    const records = page.data.map((record) => new SharedRecord(record));
    if (page.nextCursor !== null) {
      return { records, next: page.nextCursor };
    }
    const last = page.data.at(-1)?.id;
    const reached = last ? nextEventId(last) : next;
    const beyondTip = showsTip ? nextEventId(tip) : reached;
    return { records, next: compareEventIds(reached, beyondTip) > 0 ? reached : beyondTip };
  }

  /**
   * A node that cannot answer the criterion returns all events; the filter of the subscription decides in any
   * case.
   */
  private async query(
    source: PastEventsSource,
    cursor: EventId,
    session: NodeSession,
  ): Promise<EventPage> {
    const query = { cursor, limit: this.#pageSize, descending: false };
    try {
      return await source.getEvents({ ...query, criterion: this.#criterion }, session);
    } catch (error) {
      if (!(error instanceof CriterionUnanswerable)) throw error;
      return source.getEvents({ ...query, criterion: { key: 'All' } }, session);
    }
  }
}

async function shows(
  source: PastEventsSource,
  id: EventId,
  session: NodeSession,
): Promise<boolean> {
  const page = await source.getEvents(
    { criterion: { key: 'All' }, cursor: id, limit: 1, descending: false },
    session,
  );
  return page.data[0] !== undefined && compareEventIds(page.data[0].id, id) === 0;
}
