import type { PoolShape } from './pool-shape.js';
import type { Demand } from './sample-demand.js';

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
