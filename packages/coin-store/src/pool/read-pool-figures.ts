import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { leastOf } from './balance-class.js';
import { parseTotals, type PoolTotals } from './read-pool-totals.js';

export const holderStates = ['reserved', 'claimed', 'executing', 'quarantined'] as const;
/** The state of a reservation that holds coins. */
export type HolderState = (typeof holderStates)[number];

/** Figures of a pool, at one instant. */
export interface PoolFigures {
  readonly totals: PoolTotals;
  /** Available coins by size; each size reaches from its least balance to twice that. */
  readonly sizes: readonly { readonly atLeast: bigint; readonly coins: number }[];
  readonly reservations: Readonly<Record<HolderState, number>>;
  /** Since the oldest of them was begun; 0 when there is none. */
  readonly oldestAgeMs: Readonly<Record<'executing' | 'quarantined', number>>;
}

/** Reads a sponsor's figures. */
export async function readPoolFigures(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<PoolFigures> {
  const [totals, classes, holders] = (await runOnPool(redis, 'read-pool-figures', sponsor)) as [
    (string | number)[],
    (string | number)[],
    (string | number)[],
  ];
  const bySize = new Map<bigint, number>();
  for (let i = 0; i < classes.length; i += 2) {
    const atLeast = doublingOf(leastOf(Number(classes[i])));
    bySize.set(atLeast, (bySize.get(atLeast) ?? 0) + Number(classes[i + 1]));
  }
  const counts: Partial<Record<HolderState, number>> = {};
  const ages: Partial<Record<HolderState, number>> = {};
  for (let i = 0; i < holders.length; i += 3) {
    const state = holders[i] as HolderState;
    counts[state] = Number(holders[i + 1]);
    ages[state] = Number(holders[i + 2]);
  }
  return {
    totals: parseTotals(totals),
    sizes: [...bySize].map(([atLeast, coins]) => ({ atLeast, coins })),
    reservations: counts as PoolFigures['reservations'],
    oldestAgeMs: { executing: ages.executing ?? 0, quarantined: ages.quarantined ?? 0 },
  };
}

/** The largest power of two that is not above a balance. */
function doublingOf(balance: bigint): bigint {
  return 1n << BigInt(balance.toString(2).length - 1);
}
