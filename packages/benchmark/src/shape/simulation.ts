import type { PoolShape } from './pool-shape.js';
import type { Demand } from './sample-demand.js';

export interface Simulation {
  readonly transactions: number;
  /** Coins are filled up to the first number when they are fewer than the second. */
  readonly targetCoins: number;
  readonly minCoins: number;
  readonly seed: number;
  /** After this many the smashed coins are noted. */
  readonly mark: number;
  /** Balances of the coins the sponsor owns at first; by default enough for all transactions. */
  readonly funds?: readonly bigint[];
  /** This many dust coins are consolidated; by default 50. */
  readonly consolidateAt?: number;
  /** Transactions between two times that the pool is looked after, a multiple of 32; by default 320. */
  readonly upkeepEvery?: number;
  /** Makes the demands; by default those of a mixed day. */
  readonly nextDemand?: () => Demand;
  readonly onProgress?: (done: number) => void;
}

export interface SimulatedPool {
  /** Averages over a tenth of the run: the second tenth, when the pool has found its shape, and the last. */
  readonly before: PoolShape;
  readonly after: PoolShape;
  readonly executed: number;
  readonly released: number;
  /** Demands for which there were no coins. */
  readonly unserved: number;
  /** Transactions that several coins paid for, and the coins that were smashed by them. */
  readonly paidWithSeveral: number;
  readonly smashed: number;
  /** How many of them in the transactions up to the mark. */
  readonly smashedAtMark: number;
  readonly splits: number;
  readonly consolidations: number;
  readonly coinsMade: number;
  /** What limits on gas have counted. */
  readonly counted: bigint;
  /** What the sponsor owns less than when the pool was first filled, storage deposits of its coins included. */
  readonly lost: bigint;
  /** Of all gas, what splits and consolidations cost. */
  readonly upkeepShare: number;
  /** What the books of the pool and the ledger's differ in; empty: nothing. */
  readonly differences: readonly string[];
}
