import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A coin granted by the faucet, in its wire format; `amount` is in the smallest unit. */
export interface GrantedCoin {
  readonly amount: number;
  readonly id: string;
  readonly transferTxDigest: string;
}

/** The coins of the faucet's latest tasks. */
export class GrantStore {
  private readonly grants = new LRUCache<string, readonly GrantedCoin[]>({ max: 10_000 });

  /** Returns the id of the task under which the coins can be found. */
  add(coins: readonly GrantedCoin[]): string {
    const task = randomUUID();
    this.grants.set(task, coins);
    return task;
  }

  find(task: string): readonly GrantedCoin[] | null {
    return this.grants.get(task) ?? null;
  }
}
