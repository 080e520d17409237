import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';

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
  /** Coins that the sponsor's own transactions have made. */
  readonly made: bigint;
  /** Gas paid in all; negative while rebates exceed costs. */
  readonly gasCharged: bigint;
  readonly found: FoundTotals;
}

/**
 * Transactions that the pool had no record of, found on the ledger: Redis has lost them, or another process
 * has used the sponsor's key.
 */
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
 * Totals from the pool's counters, flat name and value pairs; a name's values are added up. Available coins
 * are not counted: they are the difference between the pool and the other states, so that a transition has
 * less to write.
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
    made: counter('made'),
    gasCharged,
    found: {
      transactions: counter('found:transactions'),
      gas: counter('found:gas'),
      unexplained: counter('found:unexplained'),
    },
  };
}
