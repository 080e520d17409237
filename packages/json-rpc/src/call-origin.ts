import type { ByteCounter } from './limits/byte-counter.js';
import type { CallSlots } from './limits/call-slots.js';

/** The WebSocket or HTTP request that waits for the response to a call. */
export interface CallOrigin {
  /** The client address whose limits the call counts against. */
  readonly client: string;
  /** Whom the event loop's time for the call is counted to. */
  readonly turnTaker: unknown;
  /** Aborts when nobody waits for the response any more, so that work on it can stop. */
  readonly signal: AbortSignal;
  /** Memory in use on its behalf, except for responses. */
  readonly memory: ByteCounter;
  /** Responses that wait for the rest of their batch. */
  readonly responses: ByteCounter;
  /** Bounds how many of its calls run at once. */
  readonly slots: CallSlots;
}
