import { COIN_STORAGE_COST } from '@forecourt/ledger';
import type { PoolShape } from './pool-shape.js';
import { type Demand, TARGET_BALANCE } from './demands.js';

export interface Simulation {
  readonly transactions: number;
  /** The pool is filled up to the first number when it has fewer coins than the second. */
  readonly targetCoins: number;
  readonly minCoins: number;
  readonly seed: number;
  /** The number of smashed coins is recorded after this many transactions. */
  readonly mark: number;
  /** Balances of the sponsor's initial coins; by default enough for all transactions. */
  readonly funds?: readonly bigint[];
  /** Consolidates at this many dust coins; by default 50. */
  readonly consolidateAt?: number;
  /** Transactions between two rounds of upkeep, a multiple of 32; by default 320. */
  readonly upkeepEvery?: number;
  /** Makes the demands; by default those of a mixed day. */
  readonly nextDemand?: () => Demand;
  readonly onProgress?: (done: number) => void;
}

export interface SimulatedPool {
  /**
   * Averages over a tenth of the run: the second tenth, when the pool has found its shape, and the
   * last.
   */
  readonly before: PoolShape;
  readonly after: PoolShape;
  readonly executed: number;
  readonly released: number;
  /** Demands that found no coins. */
  readonly unserved: number;
  /** Transactions that several coins paid for, and the coins that they smashed. */
  readonly paidWithSeveral: number;
  readonly smashed: number;
  /** Number of these coins in the transactions up to the mark. */
  readonly smashedAtMark: number;
  readonly splits: number;
  readonly consolidations: number;
  readonly coinsMade: number;
  /** The sum counted by gas limits. */
  readonly counted: bigint;
  /** The sponsor's loss since the pool was first filled, storage deposits of its coins included. */
  readonly lost: bigint;
  /** The cost of splits and consolidations as a share of all gas. */
  readonly upkeepShare: number;
  /** Differences between the records of the pool and of the ledger; empty: none. */
  readonly differences: readonly string[];
}

/** The average upper bound of one demand's cost, with a margin. */
const FUNDS_PER_TRANSACTION = 8_000_000n;
const TREASURY_COINS = 20;

/** Balances of the sponsor's first coins that suffice for a whole simulation. */
export function sufficientFunds({ transactions, targetCoins }: Simulation): bigint[] {
  const total =
    FUNDS_PER_TRANSACTION * BigInt(transactions) + TARGET_BALANCE * BigInt(2 * targetCoins);
  return Array<bigint>(TREASURY_COINS).fill(total / BigInt(TREASURY_COINS));
}

/**
 * A pool that pays with the first coins of one queue, as many as a budget takes, and puts the
 * remaining one at its end. Returns the number of transactions after which half of its coins are
 * gone.
 */
export function transactionsUntilHalved(
  coins: number,
  balance: bigint,
  nextDemand: () => Demand,
): number {
  const queue = Array<bigint>(coins).fill(balance);
  for (let served = 0; ; served++) {
    if (queue.length <= coins / 2) return served;
    const { gasBudget, computation, storage } = nextDemand();
    let sum = 0n;
    let taken = 0;
    while (sum < BigInt(gasBudget) && taken < queue.length) {
      sum += queue[taken]!;
      taken += 1;
    }
    if (sum < BigInt(gasBudget)) return served;
    queue.splice(0, taken);
    queue.push(sum - computation - storage + COIN_STORAGE_COST * BigInt(taken - 1));
  }
}
