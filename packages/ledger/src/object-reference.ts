import type { ObjectReference } from '@forecourt/contracts';

export type { ObjectReference };

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
