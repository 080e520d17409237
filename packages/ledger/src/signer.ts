/** Signs for one sponsor. Implementations never reveal or log the key. */
export interface Signer {
  /** The sponsor's address, full form. */
  readonly address: string;
  /** Base64 of `flag‖signature‖public key` over the transaction's intent digest. Deterministic. */
  signTransaction(bytes: Uint8Array): Promise<string>;
  /** The same over a personal message, which cannot be submitted as a transaction. */
  signPersonalMessage(message: Uint8Array): Promise<string>;
}
