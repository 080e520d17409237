/** A checkpoint by which the next one is recognised. */
export interface SealedCheckpoint {
  readonly number: number;
  /** In base58. */
  readonly digest: string;
  /** Transactions on the ledger up to and including it. */
  readonly total: number;
}

/** A checkpoint as a node shows it. */
export interface LinkedCheckpoint extends SealedCheckpoint {
  /** Digest of the checkpoint before; null: it is the ledger's first. */
  readonly previousDigest: string | null;
  /** Digest of its last transaction, in base64; null: it has none. */
  readonly lastTransaction: string | null;
  /** In ms. */
  readonly time: number;
}
