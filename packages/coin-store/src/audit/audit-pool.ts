import { setTimeout as delay } from 'node:timers/promises';
import type { GasCoin, Ledger } from '@forecourt/ledger';
import type { CoinState, PoolTotals } from '../pool/read-pool-totals.js';
import { type PlacedCoin, snapshotPool } from '../pool/snapshot-pool.js';
import type { CoinStoreRedis } from '../scripts/prepare-coin-store.js';

/** A difference seen in one look only may come from changes between its two reads. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 500;

/** A pool compared with the ledger. */
export interface PoolAudit {
  readonly sponsor: string;
  readonly totals: PoolTotals;
  readonly ledger: { readonly coins: bigint; readonly balance: bigint };
  /** Differences seen in every one of several looks, a sentence each; empty: none. */
  readonly differences: readonly string[];
}

/** In these a transaction may be changing the coin on the ledger right now. */
const IN_FLIGHT: ReadonlySet<CoinState> = new Set(['executing', 'quarantined', 'maintenance']);

/** Compares every coin of a sponsor on the ledger with the pool, state by state. Throws what reading either throws. */
export async function auditPool(
  redis: CoinStoreRedis,
  ledger: Ledger,
  sponsor: string,
): Promise<PoolAudit> {
  let audit = await look(redis, ledger, sponsor);
  for (let looks = 1; looks < LOOKS && audit.differences.length > 0; looks++) {
    await delay(BETWEEN_LOOKS_MS);
    const again = await look(redis, ledger, sponsor);
    const still = new Set(again.differences);
    audit = { ...again, differences: audit.differences.filter((one) => still.has(one)) };
  }
  return audit;
}

async function look(redis: CoinStoreRedis, ledger: Ledger, sponsor: string): Promise<PoolAudit> {
  const { coins, totals, faults } = await snapshotPool(redis, sponsor);
  const onLedger = new Map<string, GasCoin>();
  for await (const page of ledger.listGasCoins(sponsor)) {
    for (const coin of page) onLedger.set(coin.objectId, coin);
  }
  const inMaintenance = coins.some(({ state }) => state === 'maintenance');
  const pooled = new Set(coins.map(({ objectId }) => objectId));
  const missing = inMaintenance ? [] : [...onLedger.keys()].filter((id) => !pooled.has(id));
  const all = [...onLedger.values()];
  return {
    sponsor,
    totals,
    ledger: {
      coins: BigInt(all.length),
      balance: all.reduce((sum, coin) => sum + coin.balance, 0n),
    },
    differences: [
      ...faults,
      ...coins.flatMap((coin) => compare(coin, onLedger.get(coin.objectId))),
      ...missing.map((objectId) => `coin ${objectId} is on the ledger but not in the pool`),
    ],
  };
}

function compare(pooled: PlacedCoin, onLedger: GasCoin | undefined): string[] {
  if (IN_FLIGHT.has(pooled.state)) return [];
  const place = `coin ${pooled.objectId} (${pooled.state})`;
  if (!onLedger) return [`${place} is not on the ledger`];
  const fields = ['version', 'digest', 'balance'] as const;
  return fields
    .filter((field) => pooled[field] !== onLedger[field])
    .map(
      (field) =>
        `${place}: ${field} is ${onLedger[field]} on the ledger, ${pooled[field]} in the pool`,
    );
}
