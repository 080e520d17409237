import type { DecodedTransaction } from './decoded-transaction.js';
import type { TransactionEffects } from './transaction-effects.js';

/** The result of a dry run, each part in the node's own JSON. */
export interface SimulatedTransaction {
  readonly effects: TransactionEffects;
  readonly events: readonly unknown[];
  readonly objectChanges: readonly unknown[];
  readonly balanceChanges: readonly unknown[];
}

/** The ledger's verdict on an unsigned transaction. */
export type DryRun =
  /** The ledger would execute it. Move may still abort it, which costs gas. */
  | { readonly kind: 'accepted'; readonly simulated: SimulatedTransaction }
  /** Validators would not accept it; `message` is the ledger's own text. */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * It names an object that does not exist or that the node does not know yet; `message` is the ledger's own text.
   */
  | { readonly kind: 'missing'; readonly message: string }
  /**
   * The node does not show the gas coins as the pool has them: the node lags behind, or the pool does. Proves
   * nothing about the other inputs.
   */
  | { readonly kind: 'behind'; readonly message: string }
  /** The node answered with an error that proves nothing about the transaction. */
  | { readonly kind: 'undecided'; readonly message: string };

/** Submits or dry-runs transactions of one chain at the nodes that receive them. */
export interface LedgerSubmitter {
  /** Dry-runs the unsigned transaction once on a node. */
  dryRun(transaction: DecodedTransaction): Promise<DryRun>;

  /**
   * Submits and waits until the effects are final. Never throws for a failure of the ledger or the
   * network: the result reports it.
   */
  submit(bytes: Uint8Array, signatures: readonly string[]): Promise<Submission>;
}

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
