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
import { estimateRecordBytes } from '../upstreams/estimate-record-bytes.js';
import type { EventSource } from '../upstreams/event-source.js';
import { type ClientWork, type NodeCalls, QueryTooExpensive } from '../upstreams/node-calls.js';
import type { Upstreams } from '../upstreams/upstreams.js';
import type { ReplayTurns } from './replay-turns.js';
import type { Subscription } from './subscription.js';
import type { SubscriptionHub } from './subscription-hub.js';

const RETRY_MS = 200;
/** Sent before the client is given time to read. */
const AT_ONCE = 100;

export interface ReplayParts {
  readonly upstreams: Upstreams;
  readonly stream: EventStream;
  readonly hub: SubscriptionHub;
  readonly nodeCalls: NodeCalls;
  readonly replays: ReplayTurns;
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
  { upstreams, stream, hub, nodeCalls, replays }: ReplayParts,
): Promise<void> {
  const matches = compileFilter(subscription.filter);
  const criterion = criterionCovering(subscription.filter);
  let next = from;
  while (!subscription.isOver) {
    const recent = stream.recent?.since(next) ?? null;
    if (recent !== null && recent.length <= AT_ONCE) {
      // All in one turn of the event loop, so that nothing gets between the last of the past and the first live event.
      for (const shared of recent) if (matches(shared.traits)) deliver(subscription, shared);
      return hub.join(subscription);
    }
    // Few at once on a connection: each holds a page until its client has read it.
    next = await replays.run(subscription.connection, async () => {
      const work = nodeCalls.begin(subscription.connection, {});
      try {
        const stretch = recent
          ? { records: recent, next: nextEventId(recent.at(-1)!.record.id) }
          : await readOn(subscription, upstreams, { criterion, next, tip: stream.last, work });
        await send(
          subscription,
          stretch.records.filter(({ traits }) => matches(traits)),
        );
        return stretch.next;
      } finally {
        work.end();
      }
    });
  }
}

function deliver(subscription: Subscription, shared: SharedRecord): void {
  subscription.deliver(shared);
  shared.releaseFrames();
}

async function send(subscription: Subscription, records: readonly SharedRecord[]): Promise<void> {
  for (let at = 0; at < records.length && !subscription.isOver; at += AT_ONCE) {
    for (const shared of records.slice(at, at + AT_ONCE)) deliver(subscription, shared);
    await subscription.connection.drained();
  }
}

interface PageQuery {
  readonly criterion: EventCriterion;
  readonly next: EventId;
  readonly tip: EventId | null;
  readonly work: ClientWork;
}

/**
 * The next page; waits while the upstream cannot be asked or has nothing new. A subscription whose page costs more than a
 * query may is ended: asking again would cost the same.
 */
async function readOn(
  subscription: Subscription,
  upstreams: Upstreams,
  query: PageQuery,
): Promise<Stretch> {
  const { next } = query;
  try {
    const stretch = await upstreams.ask((source) => readPage(source, query));
    if (compareEventIds(stretch.next, next) > 0) return stretch;
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    if (error instanceof QueryTooExpensive) subscription.end(error);
    if (subscription.isOver) return { records: [], next };
  }
  await sleep(RETRY_MS);
  return { records: [], next };
}

async function readPage(
  source: EventSource,
  { criterion, next, tip, work }: PageQuery,
): Promise<Stretch> {
  // Asked before the page: a node that shows the tip has in the page all that came before it.
  const showsTip = tip !== null && (await shows(source, tip, work));
  const page = await source.getEvents(
    { criterion, cursor: next, limit: LARGEST_PAGE, descending: false },
    work,
  );
  for (const record of page.data) work.hold(estimateRecordBytes(record));
  const records = page.data.map((record) => new SharedRecord(record));
  if (page.nextCursor !== null) {
    return { records, next: readCursor(page.nextCursor, 'nextCursor') };
  }
  const last = page.data.at(-1)?.id;
  const reached = last ? nextEventId(last) : next;
  const beyondTip = showsTip ? nextEventId(tip) : reached;
  return { records, next: compareEventIds(reached, beyondTip) > 0 ? reached : beyondTip };
}

async function shows(source: EventSource, id: EventId, work: ClientWork): Promise<boolean> {
  const page = await source.getEvents(
    { criterion: { key: 'All' }, cursor: id, limit: 1, descending: false },
    work,
  );
  return page.data[0] !== undefined && compareEventIds(page.data[0].id, id) === 0;
}
