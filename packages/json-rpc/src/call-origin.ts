import type { HeldBytes } from './limits/held-bytes.js';
import type { CallSlots } from './limits/call-slots.js';

/** Whoever waits for the answers to a call: a WebSocket, or an HTTP request. */
export interface CallOrigin {
  /** The address that the call counts for. */
  readonly client: string;
  /** Aborted once nobody waits any more: work for it should stop. */
  readonly signal: AbortSignal;
  /** What is held in memory for it, but for answers. */
  readonly held: HeldBytes;
  /** Answers that wait for the others of their batch. */
  readonly answers: HeldBytes;
  /** How many of its calls run at once. */
  readonly slots: CallSlots;
}
