import { leastOf } from './placement.js';
import { type CoinStoreRedis, fieldsOf, runScript } from '../scripts/prepare-coin-store.js';

/** Every coin of a pool is in exactly one of these. */
export const coinStates = [
  'available',
  'dust',
  'treasury',
  'reserved',
  'claimed',
  'executing',
  'quarantined',
  'maintenance',
] as const;
export type CoinState = (typeof coinStates)[number];

/** The pool's own counters, exact. */
export interface PoolTotals {
  readonly coins: Readonly<Record<CoinState, bigint>>;
  /** In the smallest unit. */
  readonly balance: Readonly<Record<CoinState, bigint>>;
  /** Coins that were merged into others, or left the sponsor. */
  readonly smashed: bigint;
  /** Gas paid in all; negative while rebates exceed costs. */
  readonly gasCharged: bigint;
  readonly found: FoundTotals;
}

/** Transactions that the pool had no record of, found on the ledger: Redis has lost them, or another process has used the sponsor's key. */
export interface FoundTotals {
  /** Sponsored transactions. */
  readonly transactions: bigint;
  /** Of them and of the sponsor's own transactions; part of `gasCharged`. */
  readonly gas: bigint;
  /** The loss of coins in transactions that the ledger no longer had; not part of `gasCharged`. */
  readonly unexplained: bigint;
}

/** Reads a sponsor's totals. */
export async function readPoolTotals(redis: CoinStoreRedis, sponsor: string): Promise<PoolTotals> {
  return parseTotals((await runScript(redis, 'read-pool-totals', sponsor)) as (string | number)[]);
}

/**
 * Totals from the pool's counters, flat name and value pairs; a name's values are added up. Available coins are not
 * counted: they are the difference between the pool and the other states, so that a transition has less to write.
 */
export function parseTotals(pairs: readonly (string | number)[]): PoolTotals {
  const counters = new Map<unknown, bigint>();
  const counter = (name: unknown) => counters.get(name) ?? 0n;
  for (let i = 0; i < pairs.length; i += 2) {
    counters.set(pairs[i], counter(pairs[i]) + BigInt(pairs[i + 1]!));
  }
  const byState = (all: bigint, count: (state: CoinState) => bigint) => {
    const counts = coinStates.map((state): [CoinState, bigint] => [state, count(state)]);
    const available = counts.reduce((left, [, held]) => left - held, all);
    return Object.fromEntries([...counts, ['available', available]]) as Record<CoinState, bigint>;
  };
  const gasCharged = counter('gasCharged');
  return {
    coins: byState(counter('coins'), (state) => counter(`${state}:coins`)),
    balance: byState(counter('funds') - gasCharged, (state) => counter(`${state}:balance`)),
    smashed: counter('smashed'),
    gasCharged,
    found: {
      transactions: counter('found:transactions'),
      gas: counter('found:gas'),
      unexplained: counter('found:unexplained'),
    },
  };
}

export const holderStates = ['reserved', 'claimed', 'executing', 'quarantined'] as const;
/** The state of a reservation that holds coins. */
export type HolderState = (typeof holderStates)[number];

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
