import type { LoadResult } from './latencies.js';

/** A gateway and a token for it. */
export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

/** Number of concurrent users, duration, and total rate per second (absent: without a limit). */
export interface Pace {
  readonly users: number;
  readonly seconds: number;
  readonly perSecond?: number;
}

/**
 * A task for the load program, sent over its IPC channel; the program replies to each with a
 * `LoadReply`.
 */
export type LoadTask = Pace &
  (
    | { readonly kind: 'reserve'; readonly gateway: GatewayAccess; readonly gasBudget: number }
    /** Reserves, signs and executes. The times are those of execute. */
    | { readonly kind: 'sponsor'; readonly gateway: GatewayAccess; readonly sponsor: string }
    /**
     * The same transactions, paid for by their senders and submitted to the node; its control interface gives them
     * coins.
     */
    | { readonly kind: 'direct'; readonly ledgerUrl: string; readonly controlUrl: string }
  );

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };
