import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import type { SignedTransfer } from './signed-transfer.test-support.js';

/** A signed transaction as an item of `ExecuteTransactions`. */
export function executeItem({ params: [bytes, signatures] }: Pick<SignedTransfer, 'params'>) {
  return {
    transaction: { bcs: { data: fromBase64(bytes) } },
    signatures: { signatures: signatures.map((one) => ({ bcs: { data: signatureBcs(one) } })) },
  };
}

/** A signature in base64 as nodes take it, with its length in front. */
export function signatureBcs(signature: string): Uint8Array {
  return bcs.byteVector().serialize(fromBase64(signature)).toBytes();
}
