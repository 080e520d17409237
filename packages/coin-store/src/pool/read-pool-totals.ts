import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

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
}

/** Reads a sponsor's totals. */
export async function readPoolTotals(redis: CoinStoreRedis, sponsor: string): Promise<PoolTotals> {
  return parseTotals((await runOnPool(redis, 'read-totals', sponsor)) as string[]);
}

/** Totals from flat name and value pairs. */
export function parseTotals(pairs: readonly string[]): PoolTotals {
  const counters = new Map<string, bigint>();
  for (let i = 0; i < pairs.length; i += 2) counters.set(pairs[i]!, BigInt(pairs[i + 1]!));
  const byState = (part: string) =>
    Object.fromEntries(
      coinStates.map((state) => [state, counters.get(`${state}:${part}`) ?? 0n]),
    ) as Record<CoinState, bigint>;
  return {
    coins: byState('coins'),
    balance: byState('balance'),
    smashed: counters.get('smashed') ?? 0n,
    gasCharged: counters.get('gasCharged') ?? 0n,
  };
}
