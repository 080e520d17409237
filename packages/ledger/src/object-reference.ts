/**
 * Names one version of one object. The wire format has exactly this shape (specification, "Gas coin
 * reference").
 */
export interface ObjectReference {
  /** `0x` and 64 hex digits, lower case. */
  readonly objectId: string;
  /** Sequence number; an integer below 2^53. */
  readonly version: number;
  /** Base58. */
  readonly digest: string;
}

/** A gas coin at one version. */
export interface GasCoin extends ObjectReference {
  /** In the smallest unit; any u64. */
  readonly balance: bigint;
}

/** A gas coin as a node shows it. */
export interface ShownCoin extends GasCoin {
  /** Digest of the transaction that made this version; absent where the node omits it. */
  readonly changedBy?: string;
}
