import { readGetEvents } from '@forecourt/contracts';
import type { RpcMethod } from './method-table.js';

/**
 * A page of past events: criterion, cursor, limit, ordering. Throws -32602 naming the position, -32000, -32009 when the
 * client has caused too many calls to the node, -32702.
 */
export const getEvents: RpcMethod = async ({ upstreams, nodeCalls }, params, context) => {
  const request = readGetEvents(params);
  const work = nodeCalls.begin(context.origin, context);
  try {
    return await upstreams.ask((source) => source.getEvents(request, work));
  } finally {
    work.end();
  }
};
