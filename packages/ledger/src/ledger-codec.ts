import type { DecodedTransaction } from './decoded-transaction.js';
import type { ObjectReference } from './object-reference.js';

/** Unsigned bytes of a transaction that the sponsor sends itself, and their digest. */
export interface BuiltTransaction {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Who pays for a transaction, with which coins, and how much at most; amounts in the smallest unit. */
export interface GasData {
  readonly owner: string;
  /** Empty: to be chosen; such a transaction can only be dry-run. */
  readonly payment: readonly ObjectReference[];
  readonly price: bigint;
  readonly budget: bigint;
}

/** The parts of a transaction. */
export interface UnsignedTransaction {
  /** What it does: BCS of the ledger's `TransactionKind`. */
  readonly kindBytes: Uint8Array;
  readonly sender: string;
  readonly gas: GasData;
  /** The last epoch in which it may execute; null: it never expires. */
  readonly expirationEpoch: bigint | null;
}

/** Coins with which the sponsor pays for a transaction that only concerns them. */
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
  /** How many coins it makes. */
  readonly count: number;
}

export interface WithdrawalRequest extends MaintenanceRequest {
  /** Address of the receiver. */
  readonly to: string;
}

/** Bytes, digests and signatures of one chain. Never touches the network. */
export interface LedgerCodec {
  /** Full 32-byte lower-case form of an address or object id: `0x` and 64 hex digits. Throws `TypeError`. */
  normalizeAddress(address: string): string;

  /** Decodes BCS transaction data. Throws `InvalidTransactionBytes` with the reason. */
  decodeTransaction(bytes: Uint8Array): DecodedTransaction;

  /** BCS of a transaction made of these parts. Does not check `kindBytes`: decode the result to do so. */
  assembleTransaction(transaction: UnsignedTransaction): Uint8Array;

  /** What a decoded transaction does: BCS of the ledger's `TransactionKind`. */
  kindBytesOf(transaction: DecodedTransaction): Uint8Array;

  /** A decoded transaction in the JSON of the ledger's own tools, for those who write policies over it. */
  transactionJson(transaction: DecodedTransaction): unknown;

  /** Whether `signature` (base64, `flag‖signature‖public key`, any scheme) is `signer`'s over the transaction. */
  verifyTransactionSignature(
    transaction: DecodedTransaction,
    signature: string,
    signer: string,
  ): Promise<boolean>;

  /** Why no signature of this scheme can be verified here, in words; null: it can, or it is none. */
  unsupportedSignature(signature: string): string | null;

  /**
   * A transaction by which the sponsor splits the coins (smashed into the first) into `count` new coins, all owned by the
   * sponsor; the rest stays in the first coin.
   */
  buildSplit(request: SplitRequest): Promise<BuiltTransaction>;

  /** A transaction by which the sponsor consolidates the coins into the first of them. */
  buildConsolidation(request: MaintenanceRequest): Promise<BuiltTransaction>;

  /** A transaction by which the sponsor sends all that the coins hold, less the gas, to `to` as one coin. */
  buildWithdrawal(request: WithdrawalRequest): Promise<BuiltTransaction>;

  /**
   * The addresses to which a transaction of these three kinds may send coins, in full form; null for bytes that do anything
   * else.
   */
  findRecipients(bytes: Uint8Array): readonly string[] | null;
}
