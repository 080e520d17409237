import type { FairBulkhead } from '@forecourt/resilience';
import { ByteCounter } from './byte-counter.js';

/**
 * Aborts the signals of a client that has left: without a reason, each `abort` would make an error with a
 * stack.
 */
export const CLIENT_LEFT = new Error('Client disconnected');

/** The WebSocket or HTTP request that waits for the response to a call. */
export interface CallOrigin {
  /** The client address whose limits the call counts against. */
  readonly client: string;
  /** The client or connection that the event loop's time for the call counts against. */
  readonly turnTaker: unknown;
  /** Aborts when the client has disconnected, so that work on the response can stop. */
  readonly signal: AbortSignal;
  /** Memory in use on its behalf, except for responses. */
  readonly memory: ByteCounter;
  /** Responses that wait for the rest of their batch. */
  readonly responses: ByteCounter;
  /** Bounds how many of its calls run at once. */
  readonly slots: FairBulkhead;
}
