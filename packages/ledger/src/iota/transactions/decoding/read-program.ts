import { InvalidTransactionBytes } from '../../../ledger-errors.js';
import { readCommands, type TransactionCommands } from './read-commands.js';
import { readInputs, type TransactionInputs } from './read-inputs.js';
import type { StrictReader } from './strict-reader.js';

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
