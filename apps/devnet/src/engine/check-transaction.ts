import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { refuseBytes } from './inputs-refused.js';
import { MAX_GAS_BUDGET, MAX_GAS_PRICE, UNIT_STEP } from './gas-schedule.js';
import { inputFaults } from './input-fault.js';
import { limitFaults } from './object-faults.js';
import { packagesOf } from './packages-of.js';
import { Program, Command, DecodedTransaction } from './transaction-data.js';

/** Limits that a transaction must stay below. */
const GAS_COINS_END = 256;

const COMMANDS_END = 1024;

const ARGUMENTS_END = 512;

const PURE_BYTES_END = 16 * 1024;

const MODULES_END = 64;

const DEPENDENCIES_END = 32;

/** Limits that a transaction must not exceed, the first one with its signatures. */
const MAX_BYTES = 128 * 1024;

const MAX_OBJECTS = 2048;

const MAX_PACKAGES_MADE = 5;

export interface ChainFacts {
  readonly epoch: bigint;
  readonly referenceGasPrice: bigint;
}

/** Checks everything that does not depend on objects. Throws `EngineError`. */
export function checkTransaction(
  transaction: DecodedTransaction,
  signatures: readonly string[],
  chain: ChainFacts,
): void {
  const epoch = transaction.data.expiration.Epoch;
  if (epoch !== undefined && epoch !== null && BigInt(epoch) < chain.epoch) {
    throw refuseBytes(inputFaults.other('Transaction Expired'));
  }
  const size = sizeOf(transaction.bytes, signatures);
  if (size > MAX_BYTES) {
    throw tooLarge(`serialized transaction size exceeded maximum of ${MAX_BYTES}`, size);
  }
  checkLimits(transaction, chain);
}

/** In BCS: a list of one transaction with its intent of three bytes, and the list of its signatures. */
function sizeOf(bytes: Uint8Array, signatures: readonly string[]): number {
  const list = bcs.vector(bcs.vector(bcs.u8())).serialize(signatures.map(fromBase64));
  return 1 + 3 + bytes.length + list.toBytes().length;
}

/**
 * The checks of nodes on a simulated transaction, which may be large and have expired. Throws `EngineError`.
 */
export function checkLimits(transaction: DecodedTransaction, chain: ChainFacts): void {
  const { data, program } = transaction;
  const { price, budget } = data.gasData;
  if (data.gasData.payment.length >= GAS_COINS_END) {
    throw tooLarge('maximum number of gas payment objects', GAS_COINS_END);
  }
  checkProgram(program);
  checkGas(BigInt(price), BigInt(budget), chain.referenceGasPrice);
}

function checkProgram(program: Program): void {
  const { inputs, commands } = program;
  if (commands.length >= COMMANDS_END) {
    throw tooLarge('maximum commands in a programmable transaction', COMMANDS_END);
  }
  const objects = inputs.filter((input) => input.Object).length + packagesOf(program).length;
  if (objects > MAX_OBJECTS) {
    throw tooLarge('maximum input + receiving objects in a transaction', MAX_OBJECTS);
  }
  for (const { Pure: pure } of inputs) {
    if (pure && Buffer.byteLength(pure.bytes, 'base64') >= PURE_BYTES_END) {
      throw tooLarge('maximum pure argument size', PURE_BYTES_END);
    }
  }
  const made = commands.filter(({ Publish, Upgrade }) => Publish ?? Upgrade).length;
  if (made > MAX_PACKAGES_MADE) {
    throw refuseBytes(limitFaults.tooManyPackages(MAX_PACKAGES_MADE, made));
  }
  commands.forEach(checkCommand);
}

function checkCommand(command: Command): void {
  const { MoveCall: call, Publish: publish, Upgrade: upgrade } = command;
  if (call && call.arguments.length >= ARGUMENTS_END) {
    throw tooLarge('maximum arguments in a move call', ARGUMENTS_END);
  }
  const list = listOf(command);
  if (list?.length === 0) throw refuseBytes(limitFaults.emptyCommand());
  const made = publish ?? upgrade;
  if (!made) {
    if (list && list.length >= ARGUMENTS_END) {
      throw tooLarge('maximum arguments in a programmable transaction command', ARGUMENTS_END);
    }
    return;
  }
  if (made.modules.length >= MODULES_END) {
    throw tooLarge('maximum modules in a programmable transaction upgrade command', MODULES_END);
  }
  if (made.dependencies.length >= DEPENDENCIES_END) {
    throw tooLarge('maximum package dependencies', DEPENDENCIES_END);
  }
}

/** The list of a command that must not be empty; null for commands without one. */
function listOf(command: Command): readonly unknown[] | null {
  switch (command.$kind) {
    case 'TransferObjects':
      return command.TransferObjects.objects;
    case 'SplitCoins':
      return command.SplitCoins.amounts;
    case 'MergeCoins':
      return command.MergeCoins.sources;
    case 'MakeMoveVec': {
      const { type, elements } = command.MakeMoveVec;
      return elements.length === 0 && type ? null : elements;
    }
    case 'Publish':
      return command.Publish.modules;
    case 'Upgrade':
      return command.Upgrade.modules;
    default:
      return null;
  }
}

function checkGas(price: bigint, budget: bigint, reference: bigint): void {
  const least = UNIT_STEP * price;
  if (price < reference) throw refuseBytes(limitFaults.priceTooLow(price, reference));
  if (price > MAX_GAS_PRICE) throw refuseBytes(limitFaults.priceTooHigh(MAX_GAS_PRICE));
  if (budget > MAX_GAS_BUDGET) {
    throw refuseBytes(limitFaults.budgetTooHigh(budget, MAX_GAS_BUDGET));
  }
  if (budget < least) throw refuseBytes(limitFaults.budgetTooLow(budget, least));
}

function tooLarge(limit: string, value: number) {
  return refuseBytes(limitFaults.tooLarge(limit, value));
}
