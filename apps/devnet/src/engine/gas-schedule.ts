import { GAS_COIN } from './type-tag.js';

export const MAX_GAS_BUDGET = 50_000_000_000n;

export const MAX_GAS_PRICE = 100_000n;

export const U64_MAX = 2n ** 64n - 1n;

/** Computation is billed in steps of this many units, one step at least. */
export const UNIT_STEP = 1000n;

const STORAGE_PRICE_PER_BYTE = 7600n;

/** A gas coin's 129 bytes: 40 of contents and 89 of envelope. */
const OBJECT_OVERHEAD = 89;

/** The billed size of an object; 129 for a gas coin. */
export function sizeForGas(type: string, contentsLength: number): number {
  return OBJECT_OVERHEAD + contentsLength + (type === GAS_COIN ? 0 : type.length);
}

/** The storage cost of `bytes`: bytes × 100 units × 76. */
export function storageCost(bytes: number): bigint {
  return BigInt(bytes) * STORAGE_PRICE_PER_BYTE;
}

/** The units, rounded up to a whole step, times the price. */
export function computationCost(units: bigint, price: bigint): bigint {
  const steps = (units + UNIT_STEP - 1n) / UNIT_STEP;
  return (steps > 0n ? steps : 1n) * UNIT_STEP * price;
}

/** The units of a command, and of each of its arguments. */
export const UNITS_PER_COMMAND = 20n;

export const UNITS_PER_ARGUMENT = 4n;

/** The units of an abstract account's authenticator: a step, so that the bill shows it. */
export const UNITS_PER_AUTHENTICATOR = UNIT_STEP;
