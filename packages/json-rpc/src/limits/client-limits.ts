import type { IncomingMessage } from 'node:http';
import type { FairShares, MemoryBudget, TurnShares } from '@forecourt/admission';

/** How clients are told apart, and what bounds them together. Without it, a server bounds each connection on its own. */
export interface ClientLimits {
  clientOf(request: IncomingMessage): string;
  readonly connections: FairShares;
  /** Calls that are queued or running; each call of a batch counts. */
  readonly pendingCalls: FairShares;
  readonly memory: MemoryBudget;
  /** The event loop, by the widest group of each client, over HTTP and WebSocket together. */
  readonly turns: TurnShares<unknown>;
}

/** The client of every request where clients are not told apart. */
export const ANY_CLIENT = 'any';
