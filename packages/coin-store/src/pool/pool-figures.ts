import { type CoinStoreRedis, fieldsOf, runScript } from '../scripts/run-script.js';
import { leastOf } from './coin-classes.js';
import { parseTotals, type PoolTotals } from './pool-totals.js';

export const holderStates = ['reserved', 'claimed', 'executing', 'quarantined'] as const;
/** The state of a reservation that holds coins. */
type HolderState = (typeof holderStates)[number];

/** Available coins of one size, which reaches from its least balance to twice that. */
export interface SizedCoins {
  readonly atLeast: bigint;
  readonly coins: number;
}

/** Figures of a pool, at one instant. */
export interface PoolFigures {
  readonly totals: PoolTotals;
  /** The largest size first. */
  readonly sizes: readonly SizedCoins[];
  readonly reservations: Readonly<Record<HolderState, number>>;
  /** Since the oldest of them was begun; 0 without any. */
  readonly oldestAgeMs: Readonly<Record<'executing' | 'quarantined', number>>;
}

type Pairs = readonly (string | number)[];

/** Reads a sponsor's figures. */
export async function readPoolFigures(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<PoolFigures> {
  const reply = await runScript(redis, 'read-pool-figures', sponsor);
  const [totals, classes, reservations, ages] = reply as [Pairs, Pairs, Pairs, Pairs];
  const count = fieldsOf(reservations);
  const age = fieldsOf(ages);
  const counts = holderStates.map((state) => [state, Number(count(state))] as const);
  return {
    totals: parseTotals(totals),
    sizes: readSizes(classes),
    reservations: Object.fromEntries(counts) as PoolFigures['reservations'],
    oldestAgeMs: { executing: Number(age('executing')), quarantined: Number(age('quarantined')) },
  };
}

/** `classes`: flat pairs of class and available coins, the largest class first, as a script returns them. */
export function readSizes(classes: Pairs): SizedCoins[] {
  const bySize = new Map<bigint, number>();
  for (let i = 0; i < classes.length; i += 2) {
    const atLeast = doublingOf(leastOf(Number(classes[i])));
    bySize.set(atLeast, (bySize.get(atLeast) ?? 0) + Number(classes[i + 1]));
  }
  return [...bySize].map(([atLeast, coins]) => ({ atLeast, coins }));
}

/** The largest power of two that is not above a balance. */
function doublingOf(balance: bigint): bigint {
  return 1n << BigInt(balance.toString(2).length - 1);
}
