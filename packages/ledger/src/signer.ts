/** Signs for one sponsor. Implementations never reveal or log the key. */
export interface Signer {
  /** The sponsor's address, full form. */
  readonly address: string;
  /** The places of its key, in the order in which they are used: `local`, or the kind of a key service. */
  readonly kinds: readonly string[];
  /** While no place of the key signs: the time in ms until the signer tries again; null: a place signs. */
  readonly outageMs: number | null;
  /** Signatures that services make at the moment: they take no time of this process. */
  readonly inFlight: number;
  /**
   * Base64 of `flag‖signature‖public key` over the transaction's intent digest. Two signatures over the same
   * bytes may differ; the transaction's digest does not depend on them. Throws `SigningFailed`.
   */
  signTransaction(bytes: Uint8Array): Promise<string>;
  /**
   * Signs a transaction that can never land, at every place of the key; with `idleMs` only at those that have
   * not signed for this long, or have failed since. Throws `SigningFailed` when none can sign.
   */
  check(idleMs?: number): Promise<void>;
}
