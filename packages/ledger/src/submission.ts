import type { TransactionEffects } from './transaction-effects.js';

/** Outcome of one submission. */
export type Submission =
  /** Executed and final; the transaction itself may have failed (`effects.status`). */
  | { readonly kind: 'executed'; readonly effects: TransactionEffects }
  /**
   * Refused before execution, as the code or a structured reason proves: no validator can hold the gas coin for
   * this digest. `message` is the ledger's own text.
   */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * Refused because of an object, or for a reason that proves nothing; validators may hold the gas coin, or may
   * have executed it.
   */
  | { readonly kind: 'conflict'; readonly message: string }
  /**
   * Like `conflict`, because of an object that the validators do not know; a new one may not have reached them yet.
   */
  | { readonly kind: 'missing'; readonly message: string }
  /** The outcome is unknown: a timeout, a transient error, or a lost connection. */
  | { readonly kind: 'unknown'; readonly message: string };
