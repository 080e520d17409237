import type { DecodedTransaction } from '../../../decoded-transaction.js';
import { InvalidTransactionBytes } from '../../../ledger-errors.js';
import type { ObjectReference } from '../../../object-reference.js';
import { transactionDigest } from '../hash.js';
import { MAX_GAS_COINS, MAX_TRANSACTION_BYTES } from '../../limits.js';
import { readReference } from './read-inputs.js';
import { readProgram } from './read-program.js';
import { StrictReader } from './strict-reader.js';

/** The ledger's `TransactionData` and `TransactionExpiration`, in the order of their variants. */
const VERSIONS = 1;
const EXPIRATIONS = 2;
const NEVER = 0;

/**
 * Decodes a user's transaction. The checked transaction must be the signed one: bytes that are not
 * in canonical form are refused. Throws `InvalidTransactionBytes`.
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  checkSize(bytes);
  const reader = new StrictReader(bytes);
  reader.readVariant(VERSIONS, 'TransactionData');
  const { inputs, commands } = readProgram(reader);
  const sender = reader.readAddress();
  const gasPayment = readPayment(reader);
  const gasOwner = reader.readAddress();
  const gasPrice = reader.readU64();
  const gasBudget = reader.readU64();
  const expires = reader.readVariant(EXPIRATIONS, 'TransactionExpiration') !== NEVER;
  const expirationEpoch = expires ? reader.readU64() : null;
  reader.expectEnd();
  return {
    bytes,
    digest: transactionDigest(bytes),
    sender,
    gasOwner,
    gasPayment,
    gasPrice,
    gasBudget,
    expirationEpoch,
    ownedInputs: inputs.owned,
    receivedInputs: inputs.received,
    sharedInputs: inputs.shared,
    ...commands,
  };
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new InvalidTransactionBytes('empty');
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new InvalidTransactionBytes(
      `${bytes.length} bytes exceed the ledger's limit of ${MAX_TRANSACTION_BYTES}`,
    );
  }
}

function readPayment(reader: StrictReader): ObjectReference[] {
  const payment: ObjectReference[] = [];
  const count = reader.readCount(MAX_GAS_COINS, 'gas coins');
  for (let left = count; left > 0; left--) payment.push(readReference(reader));
  return payment;
}
