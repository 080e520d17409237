/**
 * A fault to inject. `method` limits it to one method; without it a fault applies to every method, or to
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
  /**
   * The call ends with this error and nothing is executed. `about`: the error is one of the ledger's own,
   * with its code, its introduction and its data in the words of the node's version. Default method: execute.
   */
  | ({ readonly kind: 'refuse'; readonly method: string } & Refusal)
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
  /** The call runs, then it is answered with an error as if it had not. Default method: execute. */
  | { readonly kind: 'misreport'; readonly method: string; readonly answer: FalseAnswer }
  /**
   * The submission is answered with `first`, the transaction executes `afterMs` later, and submissions of it
   * in between are refused.
   */
  | {
      readonly kind: 'refuseMeanwhile';
      readonly method: string;
      readonly afterMs: number;
      readonly first: FalseAnswer | 'dropped';
      readonly refusal: Refusal;
    }
  /** Half of the validators receive a transaction immediately, the others `ms` later. */
  | { readonly kind: 'split'; readonly method: string; readonly ms: number }
  /** The call runs, then the connection is destroyed without a response. Default method: execute. */
  | { readonly kind: 'loseReply'; readonly method: string }
  /** A proxy mixes answers up: a call receives the answer of the one before it, of the same method. */
  | { readonly kind: 'mixAnswers'; readonly method?: string }
  /**
   * The effects in the answer name this storage cost; over gRPC, the largest of 64 bits. Default method:
   * execute.
   */
  | { readonly kind: 'outOfRange'; readonly method: string; readonly storageCost: string }
  /** The call runs, then its answer begins and has no end. Default method: execute. */
  | { readonly kind: 'endless'; readonly method: string }
  /** Reads see the ledger as it was `ms` or `checkpoints` checkpoints ago. */
  | {
      readonly kind: 'lag';
      readonly method?: string;
      readonly ms?: number;
      readonly checkpoints?: number;
    }
  /**
   * Calls are declined with HTTP 429 (`as: 'status'`) or with -32009 and HTTP 200 (`as: 'error'`). With
   * `perSecond` only those that come after so many `of` these within a second.
   */
  | {
      readonly kind: 'rateLimit';
      readonly method?: string;
      readonly as: 'status' | 'error';
      readonly retryAfterSecs: number;
      readonly perSecond: number | null;
      readonly of: 'requests' | 'notFound';
    }
  /** A proxy answers HTTP requests, and refuses WebSockets, in the node's place. */
  | ({ readonly kind: 'httpReply'; readonly method?: string } & BalancerReply)
  /** Transactions are shown without object changes, and with `errors`. `digest`: only this one. */
  | { readonly kind: 'omitChanges'; readonly method?: string; readonly digest?: string }
  /** The node cannot show this transaction: every answer that contains it fails as a whole. */
  | { readonly kind: 'unconvertible'; readonly method?: string; readonly digest: string }
  /**
   * The index of transactions adds them in groups of this size, the last of each group first. A group is
   * absent from the index until it is full, or the fault is cleared.
   */
  | { readonly kind: 'reorder'; readonly group: number }
  /** Over gRPC, small packets wait for the acknowledgement of those before them. */
  | { readonly kind: 'nagle' }
  /** `refuse`: the port stops listening. `reset`: connections are accepted and destroyed. */
  | { readonly kind: 'down'; readonly mode: 'refuse' | 'reset' };

export type FaultKind = Fault['kind'];

/** A JSON-RPC error. `about`: set for one of the ledger's own. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly about?: RefusalSubject;
  readonly data?: unknown;
}

/** A balancer's response in place of the node's. */
export interface BalancerReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** An error that is not true of the transaction. */
export type FalseAnswer = Refusal | BalancerReply;

/**
 * Subject of a refusal: objects that are unsuitable or missing, the bytes alone, or other transactions'
 * locks.
 */
export type RefusalSubject = 'inputs' | 'missing-inputs' | 'bytes' | 'locks';

/** An active fault, as listed by the control interface. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** Number of further calls that it affects; null: until it is cleared. */
  remaining: number | null;
  /** Number of calls that it has affected. */
  hits: number;
}
