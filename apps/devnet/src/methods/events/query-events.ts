import {
  compareEventIds,
  digestInBase58,
  digestInBase64,
  type EventId,
  FIRST_EVENT_ID,
  LARGEST_PAGE,
  nextEventId,
  type StoredEventRecord,
  canonicalAddress,
  canonicalStructTag,
  type EventCriterion,
} from '@forecourt/contracts';
import type { EventRecord } from '../../engine/engine-interface.js';
import type { EventStore } from '../../events/event-store.js';
import {
  optional,
  readDigest,
  readInteger,
  readLimit,
  readObject,
} from '../../json-rpc/read-params.js';
import { TransactionNotFound } from '../../node/transaction-not-found.js';
import type { LedgerView } from '../../views/lagging-view.js';
import type { RpcMethod } from '../rpc-method.js';
import { findTransaction } from '../transactions/read-transactions.js';
import { readEventFilter } from '../../events/read-event-filter.js';
import { showEvent } from '../../events/show-event.js';

const LARGEST_EVENT_SEQ = 2 ** 14 - 1;

export const getEvents: RpcMethod = {
  name: 'iota_getEvents',
  params: ['transaction_digest'],
  summary: 'The events of one transaction.',
  run({ view }, [digest]) {
    return findTransaction(view, readDigest(digest, 'transaction_digest')).events.map(showEvent);
  },
};

export const queryEvents: RpcMethod = {
  name: 'iotax_queryEvents',
  params: ['query', 'cursor', 'limit', 'descending_order'],
  summary: 'Events that match a filter, page by page in ledger order; the cursor is exclusive.',
  run({ view, node }, [query, cursor, limit, order]) {
    const matches = readEventFilter(query);
    checkTransaction(view, query);
    const descending = order === true;
    const { store } = node.events;
    const after = optional(cursor, 'cursor', readEventId);
    const count = readLimit(limit, 50);
    const matching: EventRecord[] = [];
    let start = after && neighbourOf(locate(store, after), descending);
    const isBehindGenesis = after !== null && start === null;
    let more = !isBehindGenesis;
    while (more && matching.length <= count) {
      const page = store.page({
        criterion: criterionCovering(query),
        cursor: start,
        limit: LARGEST_PAGE,
        descending,
        belowTxSeq: view.latestCheckpoint.networkTotalTransactions,
      });
      matching.push(...page.records.flatMap(asMoveEvent).filter(matches));
      more = page.nextCursor !== null;
      start = page.nextCursor;
    }
    const data = matching.slice(0, count);
    const last = data.at(-1)?.id ?? after;
    return {
      data: data.map(showEvent),
      nextCursor: last && { txDigest: last.txDigest, eventSeq: String(last.eventSeq) },
      hasNextPage: matching.length > count,
    };
  },
};

/** A query for the events of one transaction requires a known transaction. Throws `TransactionNotFound`. */
function checkTransaction(view: LedgerView, query: unknown): void {
  const { Transaction: digest } = readObject(query, 'query');
  if (digest !== undefined) findTransaction(view, readDigest(digest, 'query.Transaction'));
}

function asMoveEvent(text: string): EventRecord[] {
  const { event, id, txDigest, timestamp } = JSON.parse(text) as StoredEventRecord;
  if (!('moveEvent' in event)) return [];
  const { fields, bcs, ...rest } = event.moveEvent;
  return [
    {
      ...rest,
      id: { txDigest: digestInBase58(txDigest), eventSeq: id.eventSeq },
      fields: fields as EventRecord['fields'],
      bcs: Buffer.from(bcs, 'base64'),
      timestampMs: timestamp,
    },
  ];
}

interface NodeEventId {
  readonly txDigest: string;
  readonly eventSeq: number;
}

function readEventId(value: unknown, name: string): NodeEventId {
  const { txDigest, eventSeq } = readObject(value, name);
  return {
    txDigest: readDigest(txDigest, `${name}.txDigest`),
    eventSeq: Number(readInteger(eventSeq, `${name}.eventSeq`)),
  };
}

/** A position in the ledger's order; the event itself need not exist. */
function locate(store: EventStore, { txDigest, eventSeq }: NodeEventId): EventId {
  const [record] = store.page({
    criterion: { key: 'Transaction', value: digestInBase64(txDigest) },
    cursor: null,
    limit: 1,
    descending: false,
  }).records;
  if (!record) throw new TransactionNotFound(txDigest);
  const { txSeq } = (JSON.parse(record) as StoredEventRecord).id;
  return { txSeq, eventSeq: Math.min(eventSeq, LARGEST_EVENT_SEQ) };
}

/** The next position in the direction; null before the first. */
function neighbourOf(id: EventId, descending: boolean): EventId | null {
  if (!descending) return nextEventId(id);
  if (compareEventIds(id, FIRST_EVENT_ID) === 0) return null;
  const { txSeq, eventSeq } = id;
  return eventSeq > 0
    ? { txSeq, eventSeq: eventSeq - 1 }
    : { txSeq: txSeq - 1, eventSeq: LARGEST_EVENT_SEQ };
}

const MOVE_EVENTS: EventCriterion = { key: 'EventType', value: 'MoveEvent' };

/**
 * A criterion of the store that every event matching the filter satisfies. `query` has been read by
 * `readEventFilter`.
 */
function criterionCovering(query: unknown): EventCriterion {
  const [[kind, argument]] = Object.entries(query as object) as [[string, never]];
  switch (kind) {
    case 'Sender':
      return { key: 'Sender', value: canonicalAddress(argument) ?? argument };
    case 'Transaction':
      return { key: 'Transaction', value: digestInBase64(argument) };
    case 'MoveModule': {
      const { package: packageId, module } = argument as { package: string; module: string };
      return {
        key: 'MoveModule',
        value: { package: canonicalAddress(packageId) ?? packageId, module },
      };
    }
    case 'MoveEventType':
      return { key: 'MoveEvent', value: canonicalStructTag(argument) ?? argument };
    case 'TimeRange': {
      const { startTime, endTime } = argument as { startTime: string; endTime: string };
      return {
        key: 'TimeRange',
        value: { startTime: Number(startTime), endTime: Number(endTime) },
      };
    }
    default:
      return MOVE_EVENTS;
  }
}
