import { randomUUID } from 'node:crypto';

/** A coin the faucet gave, in the words of the faucet's wire: `amount` in the smallest unit. */
export interface GrantedCoin {
  readonly amount: number;
  readonly id: string;
  readonly transferTxDigest: string;
}

const KEPT = 10_000;

/** What became of the faucet's tasks; the oldest are forgotten. */
export class GrantStore {
  private readonly grants = new Map<string, readonly GrantedCoin[]>();

  /** The id of the task under which the coins can be asked for. */
  keep(coins: readonly GrantedCoin[]): string {
    const task = randomUUID();
    this.grants.set(task, coins);
    if (this.grants.size > KEPT) {
      for (const oldest of this.grants.keys()) {
        this.grants.delete(oldest);
        break;
      }
    }
    return task;
  }

  find(task: string): readonly GrantedCoin[] | null {
    return this.grants.get(task) ?? null;
  }
}
