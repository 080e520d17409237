import type { IncomingMessage } from 'node:http';
import type { MemoryBudget, TurnShares } from '@forecourt/admission';
import type { FairShares } from '@forecourt/resilience';

/** Identifies clients and bounds each over all its connections and requests. */
export interface ClientLimits {
  clientOf(request: IncomingMessage): string;
  readonly connections: FairShares;
  /** Calls that are queued or running; each call of a batch counts. */
  readonly pendingCalls: FairShares;
  readonly memory: MemoryBudget;
  /** The event loop, by the widest group of each client, over HTTP and WebSocket together. */
  readonly turns: TurnShares<unknown>;
}

/** The client of every request to a server without `ClientLimits`. */
export const ANY_CLIENT = 'any';
