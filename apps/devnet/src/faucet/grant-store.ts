import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GrantedCoin } from './grant-coins.js';

/** The coins of the faucet's latest tasks. */
export class GrantStore {
  readonly #grants = new LRUCache<string, readonly GrantedCoin[]>({ max: 10_000 });

  /** Returns the id of the task under which the coins can be found. */
  add(coins: readonly GrantedCoin[]): string {
    const task = randomUUID();
    this.#grants.set(task, coins);
    return task;
  }

  find(task: string): readonly GrantedCoin[] | null {
    return this.#grants.get(task) ?? null;
  }
}
