import { commandKinds } from '@forecourt/ledger';
import type { AccessSubject } from '../access-subject.js';
import type { ReadCondition } from './condition.js';
import { readAddress, readAddresses } from './read-addresses.js';
import { fits, readComparison } from './read-comparison.js';

type ReadOfTransaction = ReadCondition<(subject: AccessSubject) => boolean>;

/** `sender-address`: an address, a list, `*`, or `{file: <path>}` of one address in each line. */
export const readSenderAddress: ReadCondition = async (value, { readFile }) => {
  if (!value.isMap) {
    const senders = readAddresses(value);
    return ({ transaction }: AccessSubject) => senders === null || senders.has(transaction.sender);
  }
  const map = value.map();
  const path = map.require('file');
  map.refuseOthers();
  const lines = (await readFile(path)).toString('utf8').split('\n');
  const senders = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const text = line.replace(/#.*/, '').trim();
    if (text === '') continue;
    try {
      senders.add(readAddress(text));
    } catch (error) {
      path.fail(`${path.text()}, line ${index + 1}: ${(error as Error).message}`);
    }
  }
  return ({ transaction }: AccessSubject) => senders.has(transaction.sender);
};

/** `transaction-gas-budget`. */
export const readTransactionGasBudget: ReadOfTransaction = (value) => {
  const comparison = value.parse(readComparison);
  return ({ transaction }) => fits(comparison, transaction.gasBudget);
};

/** `ptb-command-count`. */
export const readCommandCount: ReadOfTransaction = (value) => {
  const comparison = value.parse(readComparison);
  return ({ transaction }) => fits(comparison, BigInt(transaction.commandKinds.length));
};

/** `command-kind`: `MoveCall`, `TransferObjects`, … or a list. */
export const readCommandKind: ReadOfTransaction = (value, { allows }) => {
  const kinds = new Set<string>(
    value.list().map((one) =>
      one.parse((text) => {
        const kind = commandKinds.find((known) => known === text);
        if (!kind) throw new Error(`must be one of ${commandKinds.join(', ')}, or a list of these`);
        return kind;
      }),
    ),
  );
  return allows
    ? ({ transaction }) => transaction.commandKinds.every((kind) => kinds.has(kind))
    : ({ transaction }) => transaction.commandKinds.some((kind) => kinds.has(kind));
};

/** `object-id`: objects that are inputs, owned, shared or received. */
export const readObjectId: ReadOfTransaction = (value, { allows }) => {
  const objects = readAddresses(value);
  return ({ transaction: { ownedInputs, sharedInputs, receivedInputs } }) => {
    const inputs = [...ownedInputs, ...sharedInputs, ...receivedInputs];
    if (objects === null) return inputs.length > 0;
    return allows
      ? inputs.length > 0 && inputs.every(({ objectId }) => objects.has(objectId))
      : inputs.some(({ objectId }) => objects.has(objectId));
  };
};
