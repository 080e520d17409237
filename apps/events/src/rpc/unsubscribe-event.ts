import { readUnsubscribeEvent } from '@forecourt/contracts';
import type { RpcMethod } from './method-table.js';

/** Ends a subscription of the caller's connection. False for an id that is unknown there. Throws -32602. */
export const unsubscribeEvent: RpcMethod = async ({ clients }, params, { connection }) => {
  const id = readUnsubscribeEvent(params);
  return connection !== undefined && clients.close(connection, id);
};
