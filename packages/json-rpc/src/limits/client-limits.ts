import type { IncomingMessage } from 'node:http';
import type { ClientQuota } from './client-quota.js';
import type { MemoryBudget } from './memory-budget.js';

/** How clients are told apart, and what bounds them together. Without it, a server bounds each connection on its own. */
export interface ClientLimits {
  clientOf(request: IncomingMessage): string;
  readonly connections: ClientQuota;
  /** Calls that are queued or running; each call of a batch counts. */
  readonly pendingCalls: ClientQuota;
  readonly memory: MemoryBudget;
}

/** The client of every request where clients are not told apart. */
export const ANY_CLIENT = 'any';
