import type { DecodedTransaction } from './decoded-transaction.js';
import type { Submission } from './submission.js';
import type { TransactionEffects } from './transaction-effects.js';

/** What a dry run shows, each part in the node's own JSON. */
export interface SimulatedTransaction {
  readonly effects: TransactionEffects;
  readonly events: readonly unknown[];
  readonly objectChanges: readonly unknown[];
  readonly balanceChanges: readonly unknown[];
}

/** What the ledger says of a transaction that nobody has signed. */
export type DryRun =
  /** It would be executed. Move may still end it with a failure, which costs gas. */
  | { readonly kind: 'accepted'; readonly simulated: SimulatedTransaction }
  /** Validators would not accept it; `message` is the ledger's own text. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It names what does not exist, or what the node does not know yet; `message` is the ledger's own text. */
  | { readonly kind: 'missing'; readonly message: string }
  /** The node does not show the gas coins as the pool has them: it is behind, or the pool is. Says nothing about the rest. */
  | { readonly kind: 'behind'; readonly message: string }
  /** The node answered with an error that says nothing about the transaction. */
  | { readonly kind: 'undecided'; readonly message: string };

/** Has transactions of one chain executed, or dry-run, by the nodes that get them. */
export interface LedgerSubmitter {
  /** Asks a node once what would become of the transaction, without a signature. */
  dryRun(transaction: DecodedTransaction): Promise<DryRun>;

  /**
   * Submits and waits until the effects are final. Never throws for what the ledger or the network did: the answer says
   * how it ended.
   */
  submit(bytes: Uint8Array, signatures: readonly string[]): Promise<Submission>;
}
