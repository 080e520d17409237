import { toBase58 } from '@iota/iota-sdk/utils';
import { blake2b } from '@noble/hashes/blake2.js';

const TRANSACTION_TAG = new TextEncoder().encode('TransactionData::');
/** Intent of a transaction: scope 0, version 0, app 0. */
const TRANSACTION_INTENT = new Uint8Array([0, 0, 0]);

/** BLAKE2b with 32 bytes of output over the concatenated parts. */
export function hash(...parts: readonly Uint8Array[]): Uint8Array {
  const state = blake2b.create({ dkLen: 32 });
  for (const part of parts) state.update(part);
  return state.digest();
}

/** The digest by which the ledger knows a transaction, base58. */
export function transactionDigest(bytes: Uint8Array): string {
  return toBase58(hash(TRANSACTION_TAG, bytes));
}

/** What is signed for a transaction: the hash of its intent message. */
export function transactionIntentDigest(bytes: Uint8Array): Uint8Array {
  return hash(TRANSACTION_INTENT, bytes);
}
