import type { ObjectReference } from './object-reference.js';

/** A function that a transaction calls. */
export interface MoveCall {
  /** In full form. */
  readonly packageId: string;
  readonly module: string;
  readonly function: string;
  /** Type tags with their addresses in full form. */
  readonly typeArguments: readonly string[];
  /** Ids of the input objects among its arguments, in full form. Results of other commands are not listed. */
  readonly objects: readonly string[];
}

/** A shared object as an input. */
export interface SharedInput {
  readonly objectId: string;
  /** The version at which the object became shared; an integer below 2^53. */
  readonly initialSharedVersion: number;
  readonly mutable: boolean;
}

/** The effect of one command of a programmable transaction. */
export const commandKinds = [
  'MoveCall',
  'TransferObjects',
  'SplitCoins',
  'MergeCoins',
  'Publish',
  'MakeMoveVec',
  'Upgrade',
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** The contents of a transaction's bytes, in the ledger's terms. All addresses in full form. */
export interface DecodedTransaction {
  readonly bytes: Uint8Array;
  /** Base58. */
  readonly digest: string;
  readonly sender: string;
  readonly gasOwner: string;
  readonly gasPayment: readonly ObjectReference[];
  readonly gasPrice: bigint;
  readonly gasBudget: bigint;
  /** The last epoch in which the transaction may execute; null when it never expires. */
  readonly expirationEpoch: bigint | null;
  /** Owned and immutable inputs: exact object references. */
  readonly ownedInputs: readonly ObjectReference[];
  /** Inputs received by an object or address of the sender. */
  readonly receivedInputs: readonly ObjectReference[];
  readonly sharedInputs: readonly SharedInput[];
  /**
   * Where a command takes the gas coin as an argument, in words: `command 0 (SplitCoins), coin`. Only the
   * first few.
   */
  readonly gasCoinUses: readonly string[];
  /** The kind of every command, in order. */
  readonly commandKinds: readonly CommandKind[];
  /** Every Move call, in order. */
  readonly moveCalls: readonly MoveCall[];
  /**
   * The element type that each MakeMoveVec states, in order, in the form of type arguments; null
   * for one without a type.
   */
  readonly vectorTypes: readonly (string | null)[];
  /**
   * Every package that must exist for the transaction, once each: those it calls, those of the
   * types it names, and those it publishes against or upgrades.
   */
  readonly packages: readonly string[];
}
