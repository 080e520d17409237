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
     * The same transactions, paid for by their senders and submitted to the node; its control interface gives
     * them coins.
     */
    | { readonly kind: 'direct'; readonly ledgerUrl: string; readonly controlUrl: string }
  );

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };

/** Figures of a stretch of load. Times in ms. */
export interface LoadResult {
  readonly done: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The first few failed requests, and the number of all. */
  readonly failures: { readonly count: number; readonly first: readonly string[] };
  /** Processor time of the client itself. */
  readonly clientSeconds: number;
}

/** A user who repeats one action. */
export interface User {
  /** Performs the action once; resolves with the duration of its measured part, in ms. */
  act(): Promise<number>;
  leave(): void;
}
