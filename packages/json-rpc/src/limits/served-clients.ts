import type { IncomingMessage } from 'node:http';
import type { ClientQuota } from './client-quota.js';
import type { MemoryBudget } from './memory-budget.js';

/** How clients are told apart, and what bounds them all together. A server without it bounds each connection alone. */
export interface ServedClients {
  readonly clientOf: (request: IncomingMessage) => string;
  readonly connections: ClientQuota;
  /** Calls that wait or are worked on, batches unfolded. */
  readonly pendingCalls: ClientQuota;
  readonly memory: MemoryBudget;
}

/** Who a client is where clients are not told apart. */
export const ANYBODY = 'anybody';
