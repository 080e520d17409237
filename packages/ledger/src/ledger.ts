import type { ArgumentsOfCalls } from './call-argument.js';
import type { DecodedTransaction, MoveCall, SharedInput } from './decoded-transaction.js';
import type { ExpectedPayment } from './expected-payment.js';
import type { ExecutedTransaction, TransactionEffects } from './executed-transaction.js';
import type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';

/** One chain: its bytes, its state and its nodes. */
export type Ledger = LedgerCodec & LedgerReader & LedgerSubmitter;

/** The result of a dry run, each part in the node's own JSON. */
export interface SimulatedTransaction {
  readonly effects: TransactionEffects;
  readonly events: readonly unknown[];
  readonly objectChanges: readonly unknown[];
  readonly balanceChanges: readonly unknown[];
}

/** A change of an owner's balance of one type of coin. */
export interface BalanceChange {
  /** An address, or an object's id, in full form; null: of a shared or an immutable object. */
  readonly owner: string | null;
  /** With addresses in full form, without spaces. */
  readonly coinType: string;
  /** In the smallest unit; negative: less. */
  readonly amount: bigint;
}

/** The ledger's verdict on an unsigned transaction. */
export type DryRun =
  /** The ledger would execute it. Move may still abort it, which costs gas. */
  | { readonly kind: 'accepted'; readonly simulated: SimulatedTransaction }
  /** Validators would not accept it; `message` is the ledger's own text. */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * It names an object that does not exist or that the node does not know yet; `message` is the ledger's own
   * text.
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
   * Refused before execution, as the code or a structured reason proves: no validator can hold the gas coin
   * for this digest. `message` is the ledger's own text.
   */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * Refused because of an object, or for a reason that proves nothing; validators may hold the gas coin, or
   * may have executed it.
   */
  | { readonly kind: 'conflict'; readonly message: string }
  /**
   * Like `conflict`, because of an object that the validators do not know; a new one may not have reached
   * them yet.
   */
  | { readonly kind: 'missing'; readonly message: string }
  /** The outcome is unknown: a timeout, a transient error, or a lost connection. */
  | { readonly kind: 'unknown'; readonly message: string };

/** The ledger's current state. */
export interface LedgerStatus {
  readonly epoch: bigint;
  /** Price of one unit of gas, in the smallest unit of the coin. */
  readonly referenceGasPrice: bigint;
  /** Start of the epoch, in milliseconds since 1970, by the ledger's clock. */
  readonly epochStartedAt: number;
  /** Planned end of the epoch, the same way; not after its start: unknown. */
  readonly epochEndsAt: number;
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

/** State of an object after final effects. */
export interface RecentObject extends ObjectReference {
  /** In the node's own JSON; null: the object was deleted or wrapped. */
  readonly owner: unknown;
}

/** Finds those of these objects that transactions of the fleet have changed recently, by id. */
export type ReadRecentObjects = (
  objectIds: readonly string[],
) => Promise<ReadonlyMap<string, RecentObject>>;

/** Result of a check of the objects and packages that a transaction names. */
export interface InspectedInputs {
  /**
   * The ledger's own message when no validator would accept the transaction with these inputs;
   * otherwise null.
   */
  readonly refusal: string | null;
  /**
   * The transaction is refused only for versions that the node still shows and the fleet has seen superseded.
   */
  readonly isBehind?: boolean;
  /** Set while an input that may exist is not shown; the transaction must not be signed then. */
  readonly undecided: UndecidedInputs | null;
  /**
   * Inputs that only one transaction at a time may use: owned by the sender at exactly this version, as the
   * ledger showed, or by another such input. Excludes objects that do not exist or belong to another account.
   */
  readonly exclusive: readonly ObjectReference[];
  /** Reasons why the check does not prove that validators accept the transaction; empty: it does. */
  readonly doubts: readonly string[];
}

/** Inputs that do not exist, or that the node for reads does not show yet. */
interface UndecidedInputs {
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

  /**
   * Epoch and gas price: at most `maxAgeMs` old, without it cached until the epoch ends or for the time
   * configured.
   */
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
   * Whether `owner` has paid for gas with one of these coins, according to the ledger: its last change was a
   * transaction that `owner` paid for. True where the node does not have that transaction, or there are too
   * many coins to check.
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
   * The arguments of Move calls, with types and values by the signatures of those functions that `isRelevant`
   * names, and of earlier ones that may change their inputs; each costs a read once. Values of others stay
   * unknown, and so do those of functions that do not exist, and of those beyond the first 32 that have to be
   * read.
   */
  readArguments(
    transaction: DecodedTransaction,
    isRelevant: (call: MoveCall) => boolean,
  ): Promise<ArgumentsOfCalls>;

  /** Whether the node that answers has this function. */
  hasFunction(named: Pick<MoveCall, 'packageId' | 'module' | 'function'>): Promise<boolean>;

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

  /**
   * The executed ones among these transactions, by digest. One that the node for reads does not have, or has
   * pruned, is absent.
   */
  readExecuted(digests: readonly string[]): Promise<Map<string, ExecutedTransaction>>;

  /**
   * The digests of the transactions that changed these objects last, by id, also those of other owners;
   * absent for a deleted object.
   */
  findLastChanges(objectIds: readonly string[]): Promise<Map<string, string>>;

  /**
   * The transaction's effects if the ledger has executed it, otherwise null. With its `payment`, effects of
   * another one count as no answer.
   */
  findTransaction(digest: string, payment?: ExpectedPayment): Promise<FinalTransaction | null>;

  /**
   * Parts of an executed transaction in the node's own JSON; null while the node for reads does not show it.
   */
  readTransactionParts(
    digest: string,
    parts: readonly TransactionPart[],
  ): Promise<Partial<Record<TransactionPart, unknown>> | null>;

  /** Resolves to true once the node for reads shows the transaction, to false after `timeoutMs`. */
  waitForLocalExecution(digest: string, timeoutMs: number): Promise<boolean>;
}

/** Unsigned bytes of a transaction that the sponsor sends itself, and their digest. */
export interface BuiltTransaction {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The payment of a transaction: payer, coins and budget; amounts in the smallest unit. */
interface GasData {
  readonly owner: string;
  /** Empty: chosen later; such a transaction can only be dry-run. */
  readonly payment: readonly ObjectReference[];
  readonly price: bigint;
  readonly budget: bigint;
}

/** The parts of a transaction. */
export interface UnsignedTransaction {
  /** The effect of the transaction: BCS of the ledger's `TransactionKind`. */
  readonly kindBytes: Uint8Array;
  readonly sender: string;
  readonly gas: GasData;
  /** The last epoch in which it may execute; null: it never expires. */
  readonly expirationEpoch: bigint | null;
}

/** The payment of a transaction that the sponsor sends itself. */
export interface MaintenanceRequest {
  readonly sponsor: string;
  readonly coins: readonly ObjectReference[];
  readonly gasPrice: bigint;
  readonly gasBudget: bigint;
  /** Last epoch in which it may execute; absent: it never expires. */
  readonly expirationEpoch?: bigint;
}

export interface SplitRequest extends MaintenanceRequest {
  /** Balance of each new coin. */
  readonly amount: bigint;
  /** Number of coins to make. */
  readonly count: number;
}

export interface WithdrawalRequest extends MaintenanceRequest {
  /** Address of the receiver. */
  readonly to: string;
  /** In the smallest unit; null: the whole balance of the coins, less the gas. */
  readonly amount: bigint | null;
}

/** An account whose transactions a Move function authorises. */
export interface AbstractAccount {
  /** The address: the id of the account's object. */
  readonly address: string;
  /** The objects that the authenticator names, the account's own among them. */
  readonly immutable: readonly ObjectReference[];
  readonly shared: readonly SharedInput[];
}

/** Bytes, digests and signatures of one chain. Makes no network calls. */
export interface LedgerCodec {
  /** Full 32-byte lower-case form of an address or object id: `0x` and 64 hex digits. Throws `TypeError`. */
  normalizeAddress(address: string): string;

  /** Decodes BCS transaction data. Throws `InvalidTransactionBytes` with the reason. */
  decodeTransaction(bytes: Uint8Array): DecodedTransaction;

  /** BCS of a transaction made of these parts. Does not check `kindBytes`: decode the result to do so. */
  assembleTransaction(transaction: UnsignedTransaction): Uint8Array;

  /** The effect of a decoded transaction: BCS of the ledger's `TransactionKind`. */
  kindBytesOf(transaction: DecodedTransaction): Uint8Array;

  /**
   * Balance changes in a node's JSON, of a transaction with these effects, without the gas that `gasOwner`
   * pays. Throws `LedgerUnreachable` for another form, and where the node shows none.
   */
  readBalanceChanges(
    nodeChanges: unknown,
    gasOwner: string,
    effects: Pick<TransactionEffects, 'gasUsed'>,
  ): BalanceChange[];

  /** A decoded transaction in the JSON of the ledger's own tools, for authors of policies. */
  transactionJson(transaction: DecodedTransaction): unknown;

  /**
   * Whether `signature` (base64, `flag‖signature‖public key`, any scheme) is `signer`'s over the transaction.
   */
  verifyTransactionSignature(
    transaction: DecodedTransaction,
    signature: string,
    signer: string,
  ): Promise<boolean>;

  /**
   * The account whose authenticator `signature` (base64) is. Only nodes can verify it. Null: another scheme,
   * or a malformed authenticator.
   */
  abstractAccount(signature: string): AbstractAccount | null;

  /**
   * Reason why signatures of this scheme cannot be verified here; null: they can, or `signature` is
   * malformed.
   */
  unsupportedSignature(signature: string): string | null;

  /**
   * A transaction by which the sponsor splits the coins (smashed into the first) into `count` new
   * coins, all owned by the sponsor; the remainder stays in the first coin.
   */
  buildSplit(request: SplitRequest): Promise<BuiltTransaction>;

  /** A transaction by which the sponsor consolidates the coins into the first of them. */
  buildConsolidation(request: MaintenanceRequest): Promise<BuiltTransaction>;

  /**
   * A transaction by which the sponsor sends the amount, or the whole balance of the coins less the
   * gas, to `to` as one coin.
   */
  buildWithdrawal(request: WithdrawalRequest): Promise<BuiltTransaction>;

  /**
   * The addresses to which a transaction of these three kinds may send coins, in full form; null
   * for any other transaction.
   */
  findRecipients(bytes: Uint8Array): readonly string[] | null;
}
