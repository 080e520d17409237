import { GasStationError } from './gas-station-error.js';
import { areEqual, toBytes } from './transaction-bytes.js';

/** In base64; alone, or with the signed bytes, as wallets and the SDK return it. */
export type TransactionSignature = string | { readonly signature: string; readonly bytes?: string };

interface SigningFunction {
  /** Signs the BCS bytes of a whole transaction. */
  signTransaction(bytes: Uint8Array): Promise<TransactionSignature>;
}

/**
 * The user who sends the transaction: a keypair of the SDK, or an address and a function that asks its wallet
 * to sign.
 */
export type TransactionSigner = SigningFunction &
  ({ toIotaAddress(): string } | { readonly address: string });

export function senderOf(signer: TransactionSigner): string {
  return 'address' in signer ? signer.address : signer.toIotaAddress();
}

/**
 * The signature of `bytes`, in base64. Throws `GasStationError` with the code `SIGNED_OTHER_TRANSACTION` if a
 * wallet returns other bytes: its signature is not for this transaction.
 */
export async function signTransaction(
  signer: TransactionSigner,
  bytes: Uint8Array,
): Promise<string> {
  const signed = await signer.signTransaction(bytes);
  if (typeof signed === 'string') return signed;
  const { signature, bytes: signedBytes } = signed;
  if (signedBytes !== undefined && !areEqual(toBytes(signedBytes, 'the signed bytes'), bytes)) {
    throw new GasStationError(
      'SIGNED_OTHER_TRANSACTION',
      'The wallet has signed another transaction',
    );
  }
  return signature;
}
