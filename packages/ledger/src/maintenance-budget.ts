import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from './iota/limits.js';

/** A split of hundreds of coins costs more units than the least; unused units are not charged. */
const COMPUTATION_HEADROOM = 20n;

/**
 * The budget, in the smallest unit, of a sponsor's own transaction that makes `count` coins and keeps one.
 */
export function maintenanceBudget(count: number, gasPrice: bigint): bigint {
  const computation = MIN_COMPUTATION_UNITS * gasPrice * COMPUTATION_HEADROOM;
  return computation + COIN_STORAGE_COST * BigInt(count + 1);
}
