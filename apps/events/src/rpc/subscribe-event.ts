import { readSubscribeEvent } from '@forecourt/contracts';
import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { replayEvents } from '../subscriptions/replay-events.js';
import type { RpcMethod } from './method-table.js';

/**
 * Subscribes the caller's connection to the events that match a filter, from now on or from a cursor on. Ends with the
 * subscription's id. Throws -32600 over HTTP, -32602 naming the position, -32006 beyond the limits, -32000 while no
 * upstream has been reached.
 */
export const subscribeEvent: RpcMethod = async (parts, params, context, name) => {
  const { connection } = context;
  if (connection === undefined) {
    throw new JsonRpcError(JsonRpcCode.invalidRequest, `${name} is served over WebSocket only`);
  }
  const request = readSubscribeEvent(params, parts.filterLimits);
  if (parts.stream.recent === null) {
    throw new JsonRpcError(JsonRpcCode.callFailed, 'The ledger node has not been reached yet');
  }
  const subscription = parts.clients.open(connection, name, request);
  // Not before the client knows the id that its events will carry.
  context.afterReply(() => {
    if (request.from === null) parts.hub.join(subscription);
    else void replayEvents(subscription, request.from, parts);
  });
  return subscription.id;
};
