import { readOneOf } from '../../yaml/index.js';
import type { AccessSubject } from '../access-subject.js';
import type { ReadCondition, ReadTransactionCondition } from './condition.js';
import {
  fits,
  ratioFits,
  readAddress,
  readAddresses,
  readComparisonWithin,
  readRatio,
} from './read-operands.js';
import { readCommandKinds } from './move-call-conditions.js';

/** The ledger's amounts have 64 bits, and its transactions this many commands at most. */
const MOST_UNITS = 2n ** 64n - 1n;
const MOST_COMMANDS = 1_024n;

/** `sender-address`: an address, a list, `*`, or `{file: <path>}` with one address on each line. */
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

/** `abstract-account`: whether the sender is an abstract account. */
export const readAbstractAccount: ReadTransactionCondition = (value) => {
  const isWanted = value.parse(readOneOf(['true', 'false'])) === 'true';
  return ({ isOfAbstractAccount = false }) => isOfAbstractAccount === isWanted;
};

/** `transaction-gas-budget`. */
export const readTransactionGasBudget: ReadTransactionCondition = (value) => {
  const comparison = value.parse(readComparisonWithin(0n, MOST_UNITS));
  return ({ transaction }) => fits(comparison, transaction.gasBudget);
};

/** `ptb-command-count`. */
export const readCommandCount: ReadTransactionCondition = (value) => {
  const comparison = value.parse(readComparisonWithin(0n, MOST_COMMANDS));
  return ({ transaction }) => fits(comparison, BigInt(transaction.commandKinds.length));
};

/** `gas-price-ratio`: the transaction's gas price divided by the reference gas price. */
export const readGasPriceRatio: ReadTransactionCondition = (value) => {
  const ratio = value.parse(readRatio);
  return ({ transaction: { gasPrice }, referenceGasPrice }, quantifier) =>
    referenceGasPrice === null
      ? quantifier === 'any'
      : ratioFits(ratio, gasPrice, referenceGasPrice);
};

/** `command-kind`: `MoveCall`, `TransferObjects`, … or a list, or `*`. */
export const readCommandKind: ReadTransactionCondition = (value) => {
  const kinds = readCommandKinds(value);
  return ({ transaction: { commandKinds } }, quantifier) =>
    quantifier === 'every'
      ? commandKinds.length > 0 && commandKinds.every((kind) => kinds.has(kind))
      : commandKinds.some((kind) => kinds.has(kind));
};

/**
 * `object-id`: input objects: owned, shared or received. To allow, it must name all input objects, and every
 * Move call must take at least one of them directly.
 */
export const readObjectId: ReadTransactionCondition = (value) => {
  const objects = readAddresses(value);
  const isNamed = (objectId: string) => objects === null || objects.has(objectId);
  return ({ transaction }, quantifier) => {
    const { ownedInputs, sharedInputs, receivedInputs, moveCalls } = transaction;
    const inputs = [...ownedInputs, ...sharedInputs, ...receivedInputs];
    if (quantifier === 'any') return inputs.some(({ objectId }) => isNamed(objectId));
    return (
      inputs.length > 0 &&
      inputs.every(({ objectId }) => isNamed(objectId)) &&
      moveCalls.every((call) => call.objects.some(isNamed))
    );
  };
};
