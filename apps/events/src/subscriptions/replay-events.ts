import { setTimeout as sleep } from 'node:timers/promises';
import {
  compareEventIds,
  type EventCriterion,
  type EventId,
  LARGEST_PAGE,
  nextEventId,
  readCursor,
} from '@forecourt/contracts';
import { compileFilter, criterionCovering } from '@forecourt/event-matching';
import { JsonRpcError } from '@forecourt/json-rpc';
import type { EventStream } from '../stream/event-stream.js';
import { SharedRecord } from '../stream/shared-record.js';
import type { EventSource } from '../upstreams/event-source.js';
import type { Upstreams } from '../upstreams/upstreams.js';
import type { Subscription } from './subscription.js';
import type { SubscriptionHub } from './subscription-hub.js';

const RETRY_MS = 200;
/** Sent before the client is given time to read. */
const AT_ONCE = 100;

export interface ReplayParts {
  readonly upstreams: Upstreams;
  readonly stream: EventStream;
  readonly hub: SubscriptionHub;
}

interface Stretch {
  readonly records: readonly SharedRecord[];
  /** Everything before it is in `records` or was before them. */
  readonly next: EventId;
}

/**
 * Sends a subscription everything from `from` on, no faster than its client reads, until it has reached the end of what
 * the stream holds; then it is live. Outages of the upstream only take longer.
 */
export async function replayEvents(
  subscription: Subscription,
  from: EventId,
  { upstreams, stream, hub }: ReplayParts,
): Promise<void> {
  const matches = compileFilter(subscription.filter);
  const criterion = criterionCovering(subscription.filter);
  let next = from;
  while (!subscription.isOver) {
    const recent = stream.recent?.since(next) ?? null;
    if (recent !== null && recent.length <= AT_ONCE) {
      // All in one turn of the event loop, so that nothing gets between the last of the past and the first live event.
      for (const shared of recent) if (matches(shared.traits)) subscription.deliver(shared);
      return hub.join(subscription);
    }
    const stretch = recent
      ? { records: recent, next: nextEventId(recent.at(-1)!.record.id) }
      : await readOn(upstreams, criterion, next, stream.last);
    await send(
      subscription,
      stretch.records.filter(({ traits }) => matches(traits)),
    );
    next = stretch.next;
  }
}

async function send(subscription: Subscription, records: readonly SharedRecord[]): Promise<void> {
  for (let at = 0; at < records.length && !subscription.isOver; at += AT_ONCE) {
    for (const shared of records.slice(at, at + AT_ONCE)) subscription.deliver(shared);
    await subscription.connection.drained();
  }
}

/** The next page; waits while the upstream cannot be asked or has nothing new. */
async function readOn(
  upstreams: Upstreams,
  criterion: EventCriterion,
  next: EventId,
  tip: EventId | null,
): Promise<Stretch> {
  try {
    const stretch = await upstreams.ask((source) => readPage(source, criterion, next, tip));
    if (compareEventIds(stretch.next, next) > 0) return stretch;
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
  }
  await sleep(RETRY_MS);
  return { records: [], next };
}

async function readPage(
  source: EventSource,
  criterion: EventCriterion,
  next: EventId,
  tip: EventId | null,
): Promise<Stretch> {
  // Asked before the page: a node that shows the tip has in the page all that came before it.
  const showsTip = tip !== null && (await shows(source, tip));
  const page = await source.getEvents({
    ...{ criterion, cursor: next, limit: LARGEST_PAGE, descending: false },
  });
  const records = page.data.map((record) => new SharedRecord(record));
  if (page.nextCursor !== null) {
    return { records, next: readCursor(page.nextCursor, 'nextCursor') };
  }
  const last = page.data.at(-1)?.id;
  const reached = last ? nextEventId(last) : next;
  const beyondTip = showsTip ? nextEventId(tip) : reached;
  return { records, next: compareEventIds(reached, beyondTip) > 0 ? reached : beyondTip };
}

async function shows(source: EventSource, id: EventId): Promise<boolean> {
  const page = await source.getEvents({
    ...{ criterion: { key: 'All' }, cursor: id, limit: 1, descending: false },
  });
  return page.data[0] !== undefined && compareEventIds(page.data[0].id, id) === 0;
}
