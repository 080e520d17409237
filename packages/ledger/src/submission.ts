import type { TransactionEffects } from './transaction-effects.js';

/** Outcome of one submission. */
export type Submission =
  /** Executed and final; the transaction itself may have failed (`effects.status`). */
  | { readonly kind: 'executed'; readonly effects: TransactionEffects }
  /**
   * Refused before execution, as the code or a structured reason proves: no validator can hold the gas coin for this digest.
   * `message` is the ledger's own text.
   */
  | { readonly kind: 'refused'; readonly message: string }
  /** Refused, over an object or for a reason that proves nothing; validators may hold the gas coin, or may have executed it. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** As `conflict`, over an object that the validators do not know; one just made may only not have reached them. */
  | { readonly kind: 'missing'; readonly message: string }
  /** Nobody knows yet: timed out, transient, or the connection was lost. */
  | { readonly kind: 'unknown'; readonly message: string };
