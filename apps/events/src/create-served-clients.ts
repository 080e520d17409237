import { getHeapStatistics } from 'node:v8';
import {
  ClientQuota,
  findForwardedClient,
  MemoryBudget,
  type ServedClients,
} from '@forecourt/json-rpc';
import type { Logger } from '@forecourt/runtime/service';
import type { EventsConfig } from './events-config.js';

/** Of the heap's limit: the rest is for the service itself, and for what V8 has not collected yet. */
const HEAP_SHARE = 1 / 3;

/** What bounds the clients of this process, whichever connections they come by. */
export function createServedClients(config: EventsConfig, logger: Logger): ServedClients {
  const { trustedGateways, memoryPerClientBytes: perClient } = config;
  const inAll = config.memoryBudgetBytes ?? getHeapStatistics().heap_size_limit * HEAP_SHARE;
  return {
    clientOf: (request) =>
      findForwardedClient(request, (address) => trustedGateways.includes(address)),
    // How many there are in all is bounded where they are accepted.
    connections: new ClientQuota({ perClient: config.maxConnectionsPerClient, inAll: Infinity }),
    pendingCalls: new ClientQuota({
      perClient: config.maxPendingCallsPerClient,
      inAll: config.maxPendingCallsInAll,
    }),
    memory: new MemoryBudget({ perClient, inAll }, ({ client }, heldBytes) =>
      logger.warn({ client, heldBytes }, 'ended a connection that held too much memory'),
    ),
  };
}
