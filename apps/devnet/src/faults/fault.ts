/**
 * What may be made to go wrong. `method` names the one method it applies to; without it a fault
 * applies to every method, or to `iota_executeTransactionBlock` where the kind says so.
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
  /** Half of the validators hear of a transaction at once, the others `ms` later. */
  | { readonly kind: 'split'; readonly method: string; readonly ms: number }
  /** The call runs, then the connection is destroyed instead of answered. Default method: execute. */
  | { readonly kind: 'loseReply'; readonly method: string }
  /** Reads show the ledger as it was `ms` ago, or `checkpoints` checkpoints ago. */
  | {
      readonly kind: 'lag';
      readonly method?: string;
      readonly ms?: number;
      readonly checkpoints?: number;
    }
  /** `refuse`: the port stops listening. `reset`: connections are accepted and destroyed. */
  | { readonly kind: 'down'; readonly mode: 'refuse' | 'reset' };

export type FaultKind = Fault['kind'];

/** A fault that is set, as the control interface lists it. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** How many more calls it hits; null until it is cleared. */
  remaining: number | null;
  /** How many calls it has hit. */
  hits: number;
}
