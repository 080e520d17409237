import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { FairShares, findForwardedClient } from '@forecourt/admission';
import { type ClientLimits, MemoryBudget, TurnShares } from '@forecourt/json-rpc';
import type { Logger } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { LIMITS } from '../config/limits.js';

/** Bounds the clients of this process over all their connections. */
export class RpcClientLimits implements ClientLimits {
  readonly connections: FairShares;
  readonly pendingCalls: FairShares;
  readonly memory: MemoryBudget;
  readonly turns = new TurnShares<unknown>();

  constructor(
    private readonly config: EventsConfig,
    logger: Logger,
  ) {
    const share = LIMITS.clientShare;
    this.connections = new FairShares({ total: config.maxConnections, share });
    this.pendingCalls = new FairShares({ total: LIMITS.process.pendingCalls, share });
    const heapBytes = getHeapStatistics().heap_size_limit;
    const memory = {
      perClient: config.memoryPerClientBytes,
      inAll: config.memoryBudgetBytes ?? heapBytes * LIMITS.process.heapShare,
    };
    this.memory = new MemoryBudget(memory, ({ client }, usedBytes) =>
      logger.warn({ client, usedBytes }, 'Connection or request closed: memory limit exceeded'),
    );
  }

  clientOf(request: IncomingMessage): string {
    const { trustedGateways } = this.config;
    return findForwardedClient(request, (address) => trustedGateways.includes(address));
  }
}
