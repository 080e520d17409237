import {
  optional,
  readDigest,
  readInteger,
  readLimit,
  readObject,
} from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { findTransaction } from '../transactions/get-transaction-block.js';
import { readEventFilter } from './read-event-filter.js';
import { showEvent } from './show-event.js';

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
  run({ view }, [query, cursor, limit, descending]) {
    const filter = readEventFilter(query);
    const after = optional(cursor, 'cursor', readEventId);
    const page = view.listEvents({
      limit: readLimit(limit, 50),
      descending: descending === true,
      filter,
      ...(after !== null && { after }),
    });
    const last = page.data.at(-1)?.id ?? after;
    return {
      data: page.data.map(showEvent),
      nextCursor: last && { txDigest: last.txDigest, eventSeq: String(last.eventSeq) },
      hasNextPage: page.hasNextPage,
    };
  },
};

function readEventId(value: unknown, name: string): { txDigest: string; eventSeq: number } {
  const { txDigest, eventSeq } = readObject(value, name);
  return {
    txDigest: readDigest(txDigest, `${name}.txDigest`),
    eventSeq: Number(readInteger(eventSeq, `${name}.eventSeq`)),
  };
}
