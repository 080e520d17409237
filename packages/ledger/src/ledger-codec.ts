import type { DecodedTransaction, SharedInput } from './decoded-transaction.js';
import type { ObjectReference } from './object-reference.js';

/** Unsigned bytes of a transaction that the sponsor sends itself, and their digest. */
export interface BuiltTransaction {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The payment of a transaction: payer, coins and budget; amounts in the smallest unit. */
export interface GasData {
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

  /** A decoded transaction in the JSON of the ledger's own tools, for authors of policies. */
  transactionJson(transaction: DecodedTransaction): unknown;

  /** Whether `signature` (base64, `flag‖signature‖public key`, any scheme) is `signer`'s over the transaction. */
  verifyTransactionSignature(
    transaction: DecodedTransaction,
    signature: string,
    signer: string,
  ): Promise<boolean>;

  /**
   * The account whose authenticator `signature` (base64) is. Only nodes can verify it. Null: another scheme, or a
   * malformed authenticator.
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
   * A transaction by which the sponsor sends the whole balance of the coins, less the gas, to `to`
   * as one coin.
   */
  buildWithdrawal(request: WithdrawalRequest): Promise<BuiltTransaction>;

  /**
   * The addresses to which a transaction of these three kinds may send coins, in full form; null
   * for any other transaction.
   */
  findRecipients(bytes: Uint8Array): readonly string[] | null;
}
