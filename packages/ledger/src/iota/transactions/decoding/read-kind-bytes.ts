import { readProgram } from './read-program.js';
import { StrictReader } from './strict-reader.js';

const VERSION_BYTES = 1;

/**
 * The bytes of the ledger's `TransactionKind` within those of a decoded transaction: its effect,
 * without the payment.
 */
export function readKindBytes(bytes: Uint8Array): Uint8Array {
  const reader = new StrictReader(bytes);
  reader.skip(VERSION_BYTES);
  readProgram(reader);
  return bytes.subarray(VERSION_BYTES, reader.position);
}
