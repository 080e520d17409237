import type { ObjectReference } from '../../../object-reference.js';
import type { DecodedTransaction } from '../../../decoded-transaction.js';
import { MAX_GAS_COINS, MAX_TRANSACTION_BYTES } from '../../limits.js';
import { readCommands, type TransactionCommands } from './read-commands.js';
import { readInputs, readReference, type TransactionInputs } from './read-inputs.js';
import { StrictReader } from './strict-reader.js';
import { transactionDigest } from '../../transaction-digest.js';
import { InvalidTransactionBytes } from '../../../ledger.js';

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

/** The ledger's `TransactionKind`, in the order of its variants. */
const KINDS = 4;
const PROGRAMMABLE = 0;

/**
 * Reads the effect of a transaction. Throws `InvalidTransactionBytes`, also for kinds that only
 * validators may send.
 */
export function readProgram(reader: StrictReader): {
  readonly inputs: TransactionInputs;
  readonly commands: TransactionCommands;
} {
  if (reader.readVariant(KINDS, 'TransactionKind') !== PROGRAMMABLE) {
    throw new InvalidTransactionBytes('only programmable transactions can be sponsored');
  }
  const inputs = readInputs(reader);
  return { inputs, commands: readCommands(reader, inputs.objectIds) };
}

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
