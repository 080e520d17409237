/**
 * A fault to inject. `method` is the one method it applies to; without it a fault applies to every method, or to
 * `iota_executeTransactionBlock` where the kind says so.
 */
export type Fault =
  /** Every matching call waits between `minMs` and `maxMs` before it runs, or after it ran. */
  | {
      readonly kind: 'latency';
      readonly method?: string;
      readonly minMs: number;
      readonly maxMs: number;
      readonly when: 'before' | 'after';
    }
  /** The call ends with this error and nothing is executed. Default method: execute. */
  | {
      readonly kind: 'refuse';
      readonly method: string;
      readonly code: number;
      readonly message: string;
    }
  /**
   * -32050 `before` the call or `after` it. Of `iota_executeTransactionBlock` only: `later`, the
   * transaction is accepted, holds its locks and executes `afterMs` later; `never`, it holds its locks
   * and executes only if it is submitted again. Default method: execute.
   */
  | {
      readonly kind: 'transient';
      readonly method: string;
      readonly when: 'before' | 'after' | 'later' | 'never';
      readonly afterMs: number;
      readonly message: string;
    }
  /** Half of the validators receive a transaction immediately, the others `ms` later. */
  | { readonly kind: 'split'; readonly method: string; readonly ms: number }
  /** The call runs, then the connection is destroyed without a response. Default method: execute. */
  | { readonly kind: 'loseReply'; readonly method: string }
  /** Reads see the ledger as it was `ms` or `checkpoints` checkpoints ago. */
  | {
      readonly kind: 'lag';
      readonly method?: string;
      readonly ms?: number;
      readonly checkpoints?: number;
    }
  /** `refuse`: the port stops listening. `reset`: connections are accepted and destroyed. */
  | { readonly kind: 'down'; readonly mode: 'refuse' | 'reset' };

export type FaultKind = Fault['kind'];

/** An active fault, as listed by the control interface. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** Calls that it will still hit; null: until it is cleared. */
  remaining: number | null;
  /** Calls that it has hit. */
  hits: number;
}
