import type { ObjectReference, TransactionEffects } from '@forecourt/contracts';

export type { TransactionEffects };

/** A transaction that the ledger has executed. Addresses and ids are in full form. */
export interface ExecutedTransaction {
  /** Base58. */
  readonly digest: string;
  readonly effects: TransactionEffects;
  /** Of the ledger's own transactions, as their gas owner: the zero address. */
  readonly sender: string;
  readonly gasOwner: string;
  readonly gasPayment: readonly ObjectReference[];
  readonly gasBudget: bigint;
  /** In order: `MoveCall 0x…::module::function`, `TransferObjects`, … */
  readonly commands: readonly string[];
  /** The version of each existing object before the transaction changed it, by id. */
  readonly versionsBefore: ReadonlyMap<string, number>;
  /** The version of each object that it has written, by id. */
  readonly versionsAfter: ReadonlyMap<string, number>;
  /** The transactions that made its inputs. */
  readonly dependencies: readonly string[];
  /** Time of its checkpoint in ms since 1970, by the ledger's clock; null: the node does not tell. */
  readonly executedAt: number | null;
}
