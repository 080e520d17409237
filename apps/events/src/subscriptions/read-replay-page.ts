import {
  compareEventIds,
  type EventCriterion,
  type EventId,
  type EventPage,
  nextEventId,
  readCursor,
} from '@forecourt/contracts';
import { SharedRecord } from '../stream/shared-record.js';
import { estimateRecordBytes } from '../upstreams/estimate-record-bytes.js';
import type { EventSource } from '../upstreams/event-source.js';
import type { NodeSession } from '../upstreams/node-session.js';
import { CriterionUnanswerable } from '../upstreams/upstream-lacks.js';

export interface PageQuery {
  readonly criterion: EventCriterion;
  readonly next: EventId;
  /** The last event of the live stream; null if there has been none. */
  readonly tip: EventId | null;
  /** Maximum number of events in the page. */
  readonly limit: number;
  readonly session: NodeSession;
}

export interface ReplayPage {
  readonly records: readonly SharedRecord[];
  /** The start of the next page: all earlier events are in this page or in those before. */
  readonly next: EventId;
}

/** Throws the errors of the source. */
export async function readReplayPage(
  source: EventSource,
  { criterion, next, tip, limit, session }: PageQuery,
): Promise<ReplayPage> {
  // Checked before the page is read: once a node shows the tip, its pages contain every event up to the tip.
  const showsTip = tip !== null && (await shows(source, tip, session));
  const page = await readPage(source, { criterion, next, limit, session });
  for (const record of page.data) session.addMemory(estimateRecordBytes(record));
  const records = page.data.map((record) => new SharedRecord(record));
  if (page.nextCursor !== null) {
    return { records, next: readCursor(page.nextCursor, 'nextCursor') };
  }
  const last = page.data.at(-1)?.id;
  const reached = last ? nextEventId(last) : next;
  const beyondTip = showsTip ? nextEventId(tip) : reached;
  return { records, next: compareEventIds(reached, beyondTip) > 0 ? reached : beyondTip };
}

/** A node that cannot answer the criterion returns all events: the filter of the subscription decides in any case. */
async function readPage(
  source: EventSource,
  { criterion, next: cursor, limit, session }: Omit<PageQuery, 'tip'>,
): Promise<EventPage> {
  const query = { cursor, limit, descending: false };
  try {
    return await source.getEvents({ ...query, criterion }, session);
  } catch (error) {
    if (!(error instanceof CriterionUnanswerable)) throw error;
    return source.getEvents({ ...query, criterion: { key: 'All' } }, session);
  }
}

async function shows(source: EventSource, id: EventId, session: NodeSession): Promise<boolean> {
  const page = await source.getEvents(
    { criterion: { key: 'All' }, cursor: id, limit: 1, descending: false },
    session,
  );
  return page.data[0] !== undefined && compareEventIds(page.data[0].id, id) === 0;
}
