import { bcs } from '@iota/iota-sdk/bcs';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import type { TransactionData } from './translate-program.js';

const MAX_SIZE = 1 << 20;

/** Null for bytes that are not a transaction. */
export function recordedDigest(bytes: Uint8Array): string | null {
  const data = parse(bytes);
  return data && digestOf(bytes.subarray(0, serialize(data).length));
}

export function parse(bytes: Uint8Array): TransactionData | null {
  try {
    return bcs.TransactionData.parse(bytes).V1;
  } catch {
    return null;
  }
}

export function serialize(data: TransactionData): Uint8Array {
  return bcs.TransactionData.serialize({ V1: data }, { maxSize: MAX_SIZE }).toBytes();
}

export function digestOf(bytes: Uint8Array): string {
  return TransactionDataBuilder.getDigestFromBytes(bytes);
}
