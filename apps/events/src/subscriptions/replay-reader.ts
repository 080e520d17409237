import { setTimeout as sleep } from 'node:timers/promises';
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
import { findCoveringCriterion } from '../event-matching/event-criteria.js';
import { SharedRecord } from '../stream/shared-record.js';
import type { NodeSession } from '../upstreams/node-calls.js';
import { QueryTooExpensive } from '../upstreams/query-too-expensive.js';
import type { PastEvents, PastEventsSource } from '../upstreams/past-events.js';
import { OtherLedgerIndexed } from '../upstreams/other-ledger-indexed.js';
import { QueryUnanswerable } from '../upstreams/query-unanswerable.js';
import { estimateRecordBytes } from '../upstreams/event-source.js';
import { UnsupportedByUpstream } from '../upstreams/unsupported-by-upstream.js';
import type { Subscription } from './subscription.js';

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
export class ReplayReader {
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
      if (!(error instanceof UnsupportedByUpstream && error.kind === 'unanswerable')) throw error;
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
