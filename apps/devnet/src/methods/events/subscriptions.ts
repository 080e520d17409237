import {
  EVENTS_PER_TRANSACTION,
  type FilterLimits,
  JsonRpcCode,
  JsonRpcError,
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writeCursor,
} from '@forecourt/contracts';
import { type RpcConnection, RawJson } from '@forecourt/json-rpc';
import { readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import type { CallContext } from '../call-context.js';
import { readEventFilter } from '../../events/read-event-filter.js';

export const subscribeEvent: RpcMethod = {
  name: 'iotax_subscribeEvent',
  params: ['filter'],
  summary: 'Live Move events that match a filter, over WebSocket.',
  run(context, [filter]) {
    const matches = readEventFilter(filter, 'filter');
    const { id, begin } = context.node.iotaSubscriptions.open(connectionOf(context), matches);
    context.afterReply(begin);
    return id;
  },
};

export const unsubscribeEvent: RpcMethod = {
  name: 'iotax_unsubscribeEvent',
  params: ['subscription'],
  summary: 'Ends a subscription of the same connection.',
  run(context, [subscription]) {
    const id = Number(readInteger(subscription, 'subscription'));
    return context.node.iotaSubscriptions.close(connectionOf(context), id);
  },
};

const LIMITS: FilterLimits = { maxDepth: 64, maxFilters: 10_000 };

export const getLedgerEvents: RpcMethod = {
  name: 'ledger_getEvents',
  isLegacy: true,
  params: ['query', 'cursor', 'limit', 'ordering'],
  summary: 'Events of every kind that satisfy a criterion, page by page; the cursor is inclusive.',
  run({ view, node }, params) {
    const { records, nextCursor } = node.events.store.page({
      ...readGetEvents(trimmed(params)),
      belowTxSeq: view.latestCheckpoint.networkTotalTransactions,
    });
    // An integer has no room for the events of many empty checkpoints.
    const isLong = nextCursor !== null && nextCursor.eventSeq >= EVENTS_PER_TRANSACTION;
    const next = JSON.stringify(isLong ? nextCursor : nextCursor && writeCursor(nextCursor));
    return new RawJson([`{"data":[${records.join(',')}],"nextCursor":${next}}`]);
  },
};

export const subscribeLedgerEvent: RpcMethod = {
  name: 'ledger_subscribeEvent',
  isLegacy: true,
  params: ['filter', 'resume'],
  summary: 'Live events of every kind that match a filter. Deprecated; the query replaces it.',
  run(context, params) {
    const connection = connectionOf(context);
    const request = readSubscribeEvent(trimmed(params), LIMITS);
    const { id, begin } = context.node.legacySubscriptions.open(connection, request);
    context.afterReply(begin);
    return id;
  },
};

export const unsubscribeLedgerEvent: RpcMethod = {
  name: 'ledger_unsubscribeEvent',
  isLegacy: true,
  params: ['subscription'],
  summary: 'Ends a subscription of the same connection. Deprecated with it.',
  run(context, params) {
    const id = readUnsubscribeEvent(trimmed(params));
    return context.node.legacySubscriptions.close(connectionOf(context), id);
  },
};

/** The caller's WebSocket. Throws -32600 over HTTP, which has no push. */
function connectionOf({ connection }: CallContext): RpcConnection {
  if (connection) return connection;
  throw new JsonRpcError(
    JsonRpcCode.invalidRequest,
    'Subscriptions are available over WebSocket only',
  );
}

/** Parameters given by name are undefined where they are absent. */
function trimmed(params: readonly unknown[]): unknown[] {
  return params.slice(0, params.findLastIndex((value) => value !== undefined) + 1);
}
