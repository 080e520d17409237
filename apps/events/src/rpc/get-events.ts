import { readGetEvents } from '@forecourt/contracts';
import type { RpcMethod } from './method-table.js';

/** A page of past events: criterion, cursor, limit, ordering. Throws -32602 naming the position, -32000. */
export const getEvents: RpcMethod = ({ upstreams }, params) => {
  const request = readGetEvents(params);
  return upstreams.ask((source) => source.getEvents(request));
};
