import { refuseBytes } from './engine-error.js';
import type { DecodedTransaction, Program } from './decode-transaction.js';
import { MAX_GAS_BUDGET, MAX_GAS_PRICE, UNIT_STEP } from './gas-schedule.js';

const MAX_BYTES = 128 * 1024;
const MAX_COMMANDS = 1024;
const MAX_INPUTS = 2048;
const MAX_GAS_COINS = 256;
const MAX_PURE_BYTES = 16 * 1024;
const MAX_ARGUMENTS = 512;

export interface ChainFacts {
  readonly epoch: bigint;
  readonly referenceGasPrice: bigint;
}

/** Checks everything that does not depend on objects. Throws `EngineError`. */
export function checkTransaction(transaction: DecodedTransaction, chain: ChainFacts): void {
  const { data, program, bytes } = transaction;
  const { price, budget } = data.gasData;
  const epoch = data.expiration.Epoch;
  if (epoch !== undefined && epoch !== null && BigInt(epoch) < chain.epoch) {
    throw refuseBytes(['Transaction Expired']);
  }
  if (bytes.length > MAX_BYTES) {
    throw tooLarge('serialized transaction size exceeded maximum', MAX_BYTES);
  }
  if (data.gasData.payment.length > MAX_GAS_COINS) {
    throw tooLarge('maximum number of gas payment objects', MAX_GAS_COINS);
  }
  checkProgram(program);
  checkGas(BigInt(price), BigInt(budget), chain.referenceGasPrice);
}

function checkProgram({ inputs, commands }: Program): void {
  if (commands.length > MAX_COMMANDS) {
    throw tooLarge('maximum commands in a programmable transaction', MAX_COMMANDS);
  }
  if (inputs.length > MAX_INPUTS) {
    throw tooLarge('maximum input objects in a transaction', MAX_INPUTS);
  }
  for (const { Pure: pure } of inputs) {
    if (pure && Buffer.byteLength(pure.bytes, 'base64') > MAX_PURE_BYTES) {
      throw tooLarge('maximum pure argument size', MAX_PURE_BYTES);
    }
  }
  for (const { MoveCall: call, Upgrade: upgrade } of commands) {
    if (call && call.arguments.length > MAX_ARGUMENTS) {
      throw tooLarge('maximum arguments in a programmable transaction command', MAX_ARGUMENTS);
    }
    if (upgrade) {
      throw refuseBytes(['Feature is not supported: packages cannot be upgraded here']);
    }
  }
}

function checkGas(price: bigint, budget: bigint, reference: bigint): void {
  if (price < reference) {
    throw refuseBytes([`Gas price ${price} under reference gas price (RGP) ${reference}`]);
  }
  if (price >= MAX_GAS_PRICE) {
    throw refuseBytes([`Gas price cannot exceed ${MAX_GAS_PRICE} nanos`]);
  }
  if (budget > MAX_GAS_BUDGET) {
    throw refuseBytes([`Gas budget: ${budget} is higher than max: ${MAX_GAS_BUDGET}`]);
  }
  if (budget < UNIT_STEP * price) {
    throw refuseBytes([`Gas budget: ${budget} is lower than min: ${UNIT_STEP * price}`]);
  }
}

function tooLarge(limit: string, value: number) {
  return refuseBytes([`Size limit exceeded: ${limit} is ${value}`]);
}
