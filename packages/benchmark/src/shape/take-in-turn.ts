import { COIN_STORAGE_COST } from '@forecourt/ledger';
import type { Demand } from './sample-demand.js';

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
