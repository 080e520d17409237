import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '@forecourt/ledger';
import type { Payment } from './simulated-ledger.js';

/** Numbers from 0 up to 1, reproducible by the seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One application's request, and the effect of its transaction. */
export interface Demand extends Payment {
  readonly gasBudget: number;
  /** The application reserves and then releases. */
  readonly isReleased: boolean;
}

interface BudgetKind {
  /** Share of all demands. */
  readonly share: number;
  /** As a share of the size of new coins. */
  readonly least: number;
  readonly most: number;
}

/** Small, medium, and larger than a coin. */
const KINDS: readonly BudgetKind[] = [
  { share: 0.7, least: 0.03, most: 0.1 },
  { share: 0.25, least: 0.2, most: 0.6 },
  { share: 0.05, least: 1.2, most: 2.5 },
];
const RELEASED = 0.05;
const OUT_OF_GAS = 0.005;
/** A transaction costs up to this many times the least computation. */
const COMPUTATION_SPREAD = 4;
const MAX_NEW_OBJECTS = 3;

/**
 * Draws the demands of a mixed day: budgets of every size, gas that is a part of the budget, some
 * that run out of gas.
 */
function sampleDemand(random: () => number, targetBalance: bigint, gasPrice: bigint): Demand {
  const { least, most } = kindAt(random());
  const gasBudget = Math.round(Number(targetBalance) * (least + random() * (most - least)));
  const isReleased = random() < RELEASED;
  if (random() < OUT_OF_GAS) {
    const computation = BigInt(gasBudget);
    return { gasBudget, isReleased, computation, storage: 0n, rebate: 0n, succeeds: false };
  }
  const units = MIN_COMPUTATION_UNITS * BigInt(1 + Math.floor(random() * COMPUTATION_SPREAD));
  const computation = smaller(units * gasPrice, BigInt(gasBudget));
  const wanted = COIN_STORAGE_COST * BigInt(Math.floor(random() * (MAX_NEW_OBJECTS + 1)));
  const storage = smaller(wanted, BigInt(gasBudget) - computation);
  return { gasBudget, isReleased, computation, storage, rebate: 0n, succeeds: true };
}

function kindAt(drawn: number): BudgetKind {
  let below = 0;
  return KINDS.find(({ share }) => drawn < (below += share)) ?? KINDS[0]!;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

export const GAS_PRICE = 1_000n;
/** The size of new coins. */
export const TARGET_BALANCE = 100_000_000n;

/** The demands of a simulation, in order. */
export function demandsOf({ seed }: { readonly seed: number }): () => Demand {
  const random = seededRandom(seed);
  return () => sampleDemand(random, TARGET_BALANCE, GAS_PRICE);
}
