import type { DecodedTransaction } from './decoded-transaction.js';
import type { Submission } from './submission.js';
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
