import { setTimeout as sleep } from 'node:timers/promises';
import {
  compareEventIds,
  type EventId,
  eventKinds,
  eventMethods,
  EVENTS_PER_TRANSACTION,
  type GetEventsRequest,
  LARGEST_PAGE,
  LAST_EVENT_SEQ,
  nextEventId,
  previousEventId,
  type StoredEventRecord,
  writeCursor,
  writeEventCriterion,
} from '@forecourt/contracts';
import { rememberAnswer } from '@forecourt/resilience';
import { createCallNode, type NodeOptions } from './call-node.js';
import type { EventSource, SourcePage } from './event-source.js';
import { type NodeSession, SERVICE_SESSION } from './node-calls.js';
import { subscribeAtNode } from './subscribe-at-node.js';
import { UpstreamFailed } from './upstream-failed.js';
import { LiveQueue } from './live-queue.js';

interface LegacySourceOptions extends NodeOptions {
  /** The node's prefix of `_getEvents`. */
  readonly methodPrefix: string;
}

const EVERYTHING = { Any: eventKinds.map((kind) => ({ EventType: kind })) };
/**
 * Records of one node call: more at once would delay other clients' work at the node and in this process.
 * Their text is usually below 128 KiB: V8 treats larger texts as old at once, and collecting those stops the
 * process.
 */
const RECORDS_PER_CALL = 100;
/** Live events queued for the follower; beyond it they are dropped and queried. */
const MAX_QUEUED = 20_000;
/** For a node whose queries lag behind its subscriptions. */
const LAG_RETRY_MS = 50;
const LAG_RETRIES = 200;
const LOWEST_FRESH_MS = 60_000;

/** A node that speaks the legacy dialect, which is the specification's. */
export function createLegacySource(options: LegacySourceOptions): EventSource {
  const callFor = createCallNode(options);
  const method = (name: string) => `${options.methodPrefix}_${name}`;
  const query = method(eventMethods.getEvents);

  const getEvents = async (
    { criterion, cursor, limit, descending }: GetEventsRequest,
    session: NodeSession = SERVICE_SESSION,
  ): Promise<SourcePage> => {
    const recordLimit = Math.min(limit, RECORDS_PER_CALL);
    const result = await callFor(session)<unknown>(query, [
      writeEventCriterion(criterion),
      cursor && nodeCursor(cursor),
      recordLimit,
      descending,
    ]);
    const { data, hasMore } = readEventPage(result, query);
    const last = data.at(-1);
    // Each node writes its cursors in its own form.
    const nextCursor = hasMore && last !== undefined ? neighbourOf(last.id, descending) : null;
    return { data, nextCursor, goesOn: data.length === recordLimit && recordLimit < limit };
  };

  /** The newest event or, ascending, the oldest. */
  const outermost = async (kind: 'All' | 'Checkpoint', descending: boolean) => {
    const criterion =
      kind === 'All' ? ({ key: 'All' } as const) : ({ key: 'EventType', value: kind } as const);
    const page = await getEvents({ criterion, cursor: null, limit: 1, descending });
    return page.data[0] ?? null;
  };

  const outermostCheckpoint = async (descending: boolean) => {
    const record = await outermost('Checkpoint', descending);
    return record && 'checkpoint' in record.event ? record.event.checkpoint : null;
  };

  /** Number of the first checkpoint that ends at or after a transaction; infinite if none does yet. */
  const checkpointAfter = async (txSeq: number): Promise<number> => {
    const criterion = { key: 'EventType', value: 'Checkpoint' } as const;
    const cursor = { txSeq, eventSeq: 0 };
    const { data } = await getEvents({ criterion, cursor, limit: 1, descending: false });
    const event = data[0]?.event;
    return event !== undefined && 'checkpoint' in event ? event.checkpoint : Infinity;
  };

  /** Binary search: such a node tells no more of a checkpoint than its event, which is its last. */
  const firstTransactionOf = async (checkpoint: number): Promise<number> => {
    let low = (await outermost('All', false))?.id.txSeq ?? 0;
    let high = ((await outermost('All', true))?.id.txSeq ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await checkpointAfter(middle)) >= checkpoint) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  /** Every event from `from` on that queries return now; returns the position after the last. */
  async function* readAll(from: EventId): AsyncGenerator<readonly StoredEventRecord[], EventId> {
    let next = from;
    for (;;) {
      const page = await getEvents({
        criterion: { key: 'All' },
        cursor: next,
        limit: LARGEST_PAGE,
        descending: false,
      });
      const last = page.data.at(-1);
      if (last) {
        yield page.data;
        next = nextEventId(last.id);
      }
      if (page.nextCursor === null) return next;
      next = page.nextCursor;
    }
  }

  /** Like `readAll`, repeated until the events include `until`. */
  async function* readUntil(
    from: EventId,
    until: EventId,
  ): AsyncGenerator<readonly StoredEventRecord[], EventId> {
    let next = from;
    for (let attempt = 0; attempt < LAG_RETRIES; attempt++) {
      next = yield* readAll(next);
      if (compareEventIds(next, until) > 0) return next;
      await sleep(LAG_RETRY_MS);
    }
    throw new UpstreamFailed('ledger node notifies of events that its queries do not return');
  }

  /** The live events after all past ones. `subscribed` ends the subscription. */
  async function* followLive(
    from: EventId,
    subscribed: AbortSignal,
  ): AsyncGenerator<readonly StoredEventRecord[]> {
    const live = new LiveQueue<StoredEventRecord>(MAX_QUEUED);
    const subscription = await subscribeAtNode({
      url: options.url,
      headers: options.headers,
      method: method(eventMethods.subscribeEvent),
      params: [EVERYTHING],
      timeoutMs: options.timeoutMs,
      signal: subscribed,
      onResult: (result) => live.push(result as StoredEventRecord),
    });
    subscription.ended.then(
      () => live.end(),
      (error: unknown) => live.fail(error),
    );
    let next = yield* readAll(from);
    yield [];
    // A query that returns the first live event closes the gap between past and live events.
    let joined = false;
    for (let batch = await live.take(); batch !== null; batch = await live.take()) {
      const fresh = batch.items.filter(({ id }) => compareEventIds(id, next) >= 0);
      const [first] = fresh;
      if (first === undefined) continue;
      if (!joined || batch.dropped) next = yield* readUntil(next, first.id);
      joined = true;
      const rest = fresh.filter(({ id }) => compareEventIds(id, next) >= 0);
      if (rest.length === 0) continue;
      yield rest;
      next = nextEventId(rest.at(-1)!.id);
    }
  }

  return {
    name: `legacy ${new URL(options.url).host}`,
    getEvents,
    newest: () => outermost('All', true),

    async *follow(from, signal) {
      const ended = new AbortController();
      try {
        yield* followLive(from, AbortSignal.any([signal, ended.signal]));
      } finally {
        ended.abort();
      }
    },

    // Such a node shows no digests of checkpoints.
    async *checkpoints() {},
    latestCheckpoint: () => outermostCheckpoint(true),
    lowestCheckpoint: rememberAnswer(() => outermostCheckpoint(false), LOWEST_FRESH_MS),
    firstTransactionOf,

    async ledgerIdentity() {
      const oldest = await outermost('All', false);
      const genesisTransaction = oldest?.id.txSeq === 0 ? oldest.txDigest : null;
      return { chainIdentifier: null, genesisTransaction };
    },
  };
}

/** The specification's integer, whose last place in a transaction is its end; without room for it, the id. */
function nodeCursor(id: EventId): number | EventId {
  const hasRoom = id.eventSeq < EVENTS_PER_TRANSACTION - 1 || id.eventSeq === LAST_EVENT_SEQ;
  return hasRoom ? writeCursor(id) : id;
}

function neighbourOf(id: EventId, descending: boolean): EventId | null {
  return descending ? previousEventId(id) : nextEventId(id);
}

interface NodeEventPage {
  readonly data: readonly StoredEventRecord[];
  readonly hasMore: boolean;
}

/**
 * Checks the result of a legacy node's event query, except for its records. Throws `UpstreamFailed` unless it
 * is a page.
 */
export function readEventPage(result: unknown, method: string): NodeEventPage {
  const { data, nextCursor } = (result ?? {}) as { data?: unknown; nextCursor?: unknown };
  if (Array.isArray(data) && nextCursor !== undefined) {
    return { data, hasMore: nextCursor !== null };
  }
  throw new UpstreamFailed(`${method}: the result is not a page of events`);
}
