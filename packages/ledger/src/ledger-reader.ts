import type { DecodedTransaction } from './decoded-transaction.js';
import type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';
import type { ReadRecentObjects } from './recent-object.js';
import type { TransactionEffects } from './transaction-effects.js';

/** What the ledger says of itself now. */
export interface LedgerStatus {
  readonly epoch: bigint;
  /** Units of gas cost this much each, in the smallest unit of the coin. */
  readonly referenceGasPrice: bigint;
  /** When the epoch began, in milliseconds since 1970, by the ledger's clock. */
  readonly epochStartedAt: number;
  /** How long validators lock the objects of a transaction that they did not execute; null: until the epoch ends. */
  readonly objectLockMs: number | null;
}

/** A transaction the ledger knows, as its own JSON. */
export interface FinalTransaction {
  readonly digest: string;
  /** The effects exactly as the node serialises them, every field. */
  readonly effects: TransactionEffects;
}

/** Parts of an executed transaction that are shown only to those who ask for them. */
export type TransactionPart = 'events' | 'objectChanges' | 'balanceChanges' | 'input';

/** What the ledger shows of the objects and packages that a transaction names. */
export interface InspectedInputs {
  /** The ledger's own message when no validator would accept the transaction with these inputs; otherwise null. */
  readonly refusal: string | null;
  /** It is refused only for versions that the node still shows, and that the fleet has seen superseded. */
  readonly isBehind?: boolean;
  /** Set while an input does not show that may exist; the transaction must not be signed then. */
  readonly undecided: UndecidedInputs | null;
  /**
   * Inputs that only one transaction at a time may use: owned by the sender at exactly this version, as the ledger showed,
   * or by another such input. Nothing that does not exist or is somebody else's.
   */
  readonly exclusive: readonly ObjectReference[];
  /** Why looking at objects does not tell whether validators accept the transaction, in words; empty: it does. */
  readonly doubts: readonly string[];
}

/** Inputs that do not exist, or that the node which serves reads does not show yet. */
export interface UndecidedInputs {
  /** The ledger's own message, should they not exist. */
  readonly message: string;
  /** Whether there are more of them than a node that is behind would explain. */
  readonly areMany: boolean;
  /** Looks once more at what was missing. */
  lookAgain(): Promise<InspectedInputs>;
}

/**
 * Reads of one chain. All throw `LedgerUnreachable` when no node answers, or none with anything that can be used: a node of
 * another network counts as one that does not answer.
 */
export interface LedgerReader {
  /**
   * Identifies the network: differs between networks, never changes on one. Rejects when the nodes are on two, or on another
   * than they must be.
   */
  chainIdentifier(): Promise<string>;

  /** Epoch and gas price: at most `maxAgeMs` old, without it cached until the epoch ends or for the time configured. */
  status(maxAgeMs?: number): Promise<LedgerStatus>;

  /** Timestamp of the newest checkpoint at the node that serves reads, in milliseconds since 1970, by the ledger's clock. */
  checkpointTime(): Promise<number>;

  /** How many gas coins `owner` owns. */
  countGasCoins(owner: string): Promise<bigint>;

  /** Every gas coin `owner` owns, page by page, in the node's order. */
  listGasCoins(owner: string): AsyncIterable<readonly GasCoin[]>;

  /**
   * Whether `owner` has paid for gas with one of these coins, as far as the ledger shows: a coin was last changed by a
   * transaction that `owner` paid for. True where there are too many coins to look at.
   */
  hasPaidForGas(owner: string): Promise<boolean>;

  /**
   * The gas coins of `owner` that are known at these versions, as they are now, by id; `gone` when deleted or no gas coin of
   * the owner's any more. What the node does not show is absent, which may mean only that it lags behind.
   */
  readGasCoins(
    owner: string,
    known: readonly Pick<GasCoin, 'objectId' | 'version'>[],
  ): Promise<Map<string, ShownCoin | 'gone'>>;

  /**
   * Looks once at what the transaction names, before anything is signed. A read for each 50 objects that are not known
   * already; no more of them once they cannot help it. Of what the node shows and what `readRecent` finds, the higher version
   * of an object counts.
   */
  inspectInputs(
    transaction: DecodedTransaction,
    readRecent?: ReadRecentObjects,
  ): Promise<InspectedInputs>;

  /**
   * Whether an owned input is certain to have a later version, or to be gone, by another transaction: this one can never
   * execute. False where this one may have done it: its gas coins have moved too. Where several coins pay, not all inputs may
   * be looked at.
   */
  haveInputsMovedOn(transaction: DecodedTransaction): Promise<boolean>;

  /**
   * Whether the transaction can never execute because its last epoch has ended: the node that serves reads has ended that
   * epoch and has not executed the transaction in it. A node that prunes may also have forgotten the transaction.
   */
  hasExpired(transaction: DecodedTransaction): Promise<boolean>;

  /** The transaction's effects if the ledger has executed it, otherwise null. */
  findTransaction(digest: string): Promise<FinalTransaction | null>;

  /** Parts of an executed transaction in the node's own JSON; null while the node that serves reads does not show it. */
  readTransactionParts(
    digest: string,
    parts: readonly TransactionPart[],
  ): Promise<Partial<Record<TransactionPart, unknown>> | null>;

  /** Resolves true once the node that serves reads shows the transaction, false after `timeoutMs`. */
  waitForLocalExecution(digest: string, timeoutMs: number): Promise<boolean>;
}
