import { addressBytes, areEqual } from './transaction-bytes.js';

/** The first byte of a `TransactionData`: its only version, V1. */
const VERSION_1 = 0;
const ADDRESS_LENGTH = 32;
/** Object id, version, and digest with its length. */
const COIN_REFERENCE_LENGTH = 32 + 8 + 33;

export interface ExpectedTransaction {
  /** BCS bytes of the `TransactionKind`. */
  readonly kind: Uint8Array;
  readonly sender: string;
  readonly sponsor: string;
}

/**
 * Whether `transaction` does exactly what `kind` says, is sent by `sender`, and has its gas paid by
 * `sponsor`, which is another address. Without this check a compromised gas station could get any transaction
 * signed by the user.
 *
 * The layout is that of the ledger's `TransactionData`: version, kind, sender, gas payment, gas owner, and
 * the rest. No value is the beginning of another one in BCS, so equal bytes are the same kind.
 */
export function isSponsored(transaction: Uint8Array, expected: ExpectedTransaction): boolean {
  const { kind } = expected;
  const sender = addressBytes(expected.sender, 'sender');
  const sponsor = addressBytes(expected.sponsor, 'sponsor');
  const senderAt = 1 + kind.length;
  const paymentAt = senderAt + ADDRESS_LENGTH;
  const payment = readLength(transaction, paymentAt);
  const ownerAt = payment.end + payment.length * COIN_REFERENCE_LENGTH;
  return (
    transaction[0] === VERSION_1 &&
    areEqual(transaction.subarray(1, senderAt), kind) &&
    areEqual(transaction.subarray(senderAt, paymentAt), sender) &&
    areEqual(transaction.subarray(ownerAt, ownerAt + ADDRESS_LENGTH), sponsor) &&
    !areEqual(sender, sponsor)
  );
}

/** The length of a vector, in ULEB128, and the position of its first element. */
function readLength(bytes: Uint8Array, offset: number): { length: number; end: number } {
  let length = 0;
  let end = offset;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[end] ?? 0;
    end += 1;
    length += (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return { length, end };
}
