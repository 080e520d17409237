import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { findForwardedClient, MemoryBudget, TurnShares } from '@forecourt/admission';
import type { ClientLimits } from '@forecourt/json-rpc';
import { CLIENT_SHARE, FairShares } from '@forecourt/resilience';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';

/** Share of the heap limit; the rest is for the service and for garbage not collected yet. */
const HEAP_SHARE = 1 / 3;

/** Bounds the clients of this process over all their connections. */
@Injectable()
export class RpcClientLimits implements ClientLimits {
  readonly connections: FairShares;
  readonly pendingCalls: FairShares;
  readonly memory: MemoryBudget;
  readonly turns = new TurnShares<unknown>();

  constructor(
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const share = CLIENT_SHARE;
    this.connections = new FairShares({ total: config.maxConnections, share });
    this.pendingCalls = new FairShares({ total: config.maxPendingCallsInAll, share });
    const memory = {
      perClient: config.memoryPerClientBytes,
      inAll: getHeapStatistics().heap_size_limit * HEAP_SHARE,
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
