import { createBLAKE2b } from 'hash-wasm';
import { encodeBase58 } from '../../../base58/index.js';

const TRANSACTION_TAG = new TextEncoder().encode('TransactionData::');
/** Intent of a transaction: scope 0, version 0, app 0. */
const TRANSACTION_INTENT = new Uint8Array([0, 0, 0]);

const HASH_BITS = 256;
const blake2b = await createBLAKE2b(HASH_BITS);

/** BLAKE2b with 32 bytes of output over the concatenated parts. */
export function hash(...parts: readonly Uint8Array[]): Uint8Array {
  blake2b.init();
  for (const part of parts) blake2b.update(part);
  return blake2b.digest('binary');
}

/** The digest by which the ledger identifies a transaction, base58. */
export function transactionDigest(bytes: Uint8Array): string {
  return encodeBase58(hash(TRANSACTION_TAG, bytes));
}

/** The signed message of a transaction: the hash of its intent message. */
export function transactionIntentDigest(bytes: Uint8Array): Uint8Array {
  return hash(TRANSACTION_INTENT, bytes);
}
