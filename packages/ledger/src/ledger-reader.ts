import type { DecodedTransaction } from './decoded-transaction.js';
import type { ExecutedTransaction } from './executed-transaction.js';
import type { ExpectedPayment } from './expected-payment.js';
import type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';
import type { ReadRecentObjects } from './recent-object.js';
import type { TransactionEffects } from './transaction-effects.js';

/** The ledger's current state. */
export interface LedgerStatus {
  readonly epoch: bigint;
  /** Price of one unit of gas, in the smallest unit of the coin. */
  readonly referenceGasPrice: bigint;
  /** Start of the epoch, in milliseconds since 1970, by the ledger's clock. */
  readonly epochStartedAt: number;
  /**
   * Duration of validators' locks on the objects of a transaction that they did not execute; null:
   * until the epoch ends.
   */
  readonly objectLockMs: number | null;
}

/** A transaction of the ledger in the node's own JSON. */
export interface FinalTransaction {
  readonly digest: string;
  /** The effects exactly as the node serialises them, with every field. */
  readonly effects: TransactionEffects;
}

/** Parts of an executed transaction that callers receive only on request. */
export type TransactionPart = 'events' | 'objectChanges' | 'balanceChanges' | 'input';

/** Result of a check of the objects and packages that a transaction names. */
export interface InspectedInputs {
  /**
   * The ledger's own message when no validator would accept the transaction with these inputs;
   * otherwise null.
   */
  readonly refusal: string | null;
  /**
   * The transaction is refused only for versions that the node still shows and the fleet has seen
   * superseded.
   */
  readonly isBehind?: boolean;
  /** Set while an input that may exist is not shown; the transaction must not be signed then. */
  readonly undecided: UndecidedInputs | null;
  /**
   * Inputs that only one transaction at a time may use: owned by the sender at exactly this
   * version, as the ledger showed, or by another such input. Excludes objects that do not exist or
   * belong to another account.
   */
  readonly exclusive: readonly ObjectReference[];
  /**
   * Reasons why the check does not prove that validators accept the transaction; empty: it does.
   */
  readonly doubts: readonly string[];
}

/** Inputs that do not exist, or that the node for reads does not show yet. */
export interface UndecidedInputs {
  /** The ledger's own message in case they do not exist. */
  readonly message: string;
  /** Whether more of them are missing than a lagging node explains. */
  readonly areMany: boolean;
  /** Looks up the missing inputs once more. */
  lookAgain(): Promise<InspectedInputs>;
}

/**
 * Reads of one chain. All throw `LedgerUnreachable` when no node gives a usable answer. A node of
 * another network counts as one that does not answer.
 */
export interface LedgerReader {
  /**
   * Identifies the network: differs between networks, never changes on one. Rejects when the nodes
   * are on two networks, or on another one than required.
   */
  chainIdentifier(): Promise<string>;

  /** Epoch and gas price: at most `maxAgeMs` old, without it cached until the epoch ends or for the time configured. */
  status(maxAgeMs?: number): Promise<LedgerStatus>;

  /**
   * Timestamp of the newest checkpoint at the node for reads, in milliseconds since 1970, by the
   * ledger's clock.
   */
  checkpointTime(): Promise<number>;

  /** Number of gas coins that `owner` owns. */
  countGasCoins(owner: string): Promise<bigint>;

  /**
   * The gas coins that `owner` owns, page by page, in the node's order. A coin that changes meanwhile
   * may be missed, or follow again at its later version; none follows at the same or an earlier one.
   */
  listGasCoins(owner: string): AsyncIterable<readonly GasCoin[]>;

  /**
   * Whether `owner` has paid for gas with one of these coins, according to the ledger: its last
   * change was a transaction that `owner` paid for. True where there are too many coins to check.
   */
  hasPaidForGas(owner: string): Promise<boolean>;

  /**
   * The current state of gas coins known at these versions (0: at none), by id; `gone` when deleted
   * or when no longer a gas coin of the owner's. A coin that the node does not show is absent: the
   * node may lag behind. `hadAt`: a time at which the ledger had them all, in milliseconds since
   * 1970. A coin that a node does not show is gone too once its ledger is minutes beyond that time.
   */
  readGasCoins(
    owner: string,
    known: readonly Pick<GasCoin, 'objectId' | 'version'>[],
    hadAt?: number,
  ): Promise<Map<string, ShownCoin | 'gone'>>;

  /**
   * Checks once the objects that the transaction names, before it is signed. Costs one read per 50
   * objects that are not known already, and stops when further reads cannot change the result. Of
   * the node's state and `readRecent`, the higher version of an object counts.
   */
  inspectInputs(
    transaction: DecodedTransaction,
    readRecent?: ReadRecentObjects,
  ): Promise<InspectedInputs>;

  /**
   * Whether another transaction has certainly changed or deleted an owned input, so that this one
   * can never execute. False where this one may have done it: its gas coins have moved too. Where
   * several coins pay, some inputs may not be checked.
   */
  haveInputsMovedOn(transaction: DecodedTransaction): Promise<boolean>;

  /**
   * Whether the transaction can never execute because its last epoch has ended: the node for reads
   * has ended that epoch and has not executed the transaction in it. A node that prunes may also
   * have forgotten the transaction.
   */
  hasExpired(transaction: DecodedTransaction): Promise<boolean>;

  /** The executed ones among these transactions, by digest. One that the node for reads does not have, or has pruned, is absent. */
  readExecuted(digests: readonly string[]): Promise<Map<string, ExecutedTransaction>>;

  /** The digests of the transactions that changed these objects last, by id, also those of other owners; absent for a deleted object. */
  findLastChanges(objectIds: readonly string[]): Promise<Map<string, string>>;

  /**
   * The transaction's effects if the ledger has executed it, otherwise null. With its `payment`, effects of another one
   * count as no answer.
   */
  findTransaction(digest: string, payment?: ExpectedPayment): Promise<FinalTransaction | null>;

  /**
   * Parts of an executed transaction in the node's own JSON; null while the node for reads does not
   * show it.
   */
  readTransactionParts(
    digest: string,
    parts: readonly TransactionPart[],
  ): Promise<Partial<Record<TransactionPart, unknown>> | null>;

  /** Resolves to true once the node for reads shows the transaction, to false after `timeoutMs`. */
  waitForLocalExecution(digest: string, timeoutMs: number): Promise<boolean>;
}
