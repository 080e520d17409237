import { setTimeout as delay } from 'node:timers/promises';
import { findGasCoins, type GasCoin, type Ledger } from '@forecourt/ledger';
import { type PlacedCoin, snapshotPool } from '../pool/pool-snapshot.js';
import type { CoinState, PoolTotals } from '../pool/pool-totals.js';
import { requireReadablePool } from '../pool/stored-version.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';

/** A difference in a single look may come from changes between its two reads. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 500;

/** Number of coins, and their total balance in the smallest unit. */
export interface CoinSum {
  readonly coins: bigint;
  readonly balance: bigint;
}

/** The same coins on each side. */
export interface BothSides {
  readonly pool: CoinSum;
  readonly ledger: CoinSum;
}

/** A pool compared with the ledger. */
export interface PoolAudit {
  readonly sponsor: string;
  readonly totals: PoolTotals;
  /** All coins that the ledger shows. */
  readonly ledger: CoinSum;
  /** The compared coins. */
  readonly compared: BothSides;
  /**
   * The coins that were not compared: those of transactions in flight, which may be changing them on the
   * ledger now.
   */
  readonly inFlight: BothSides;
  /** Differences found in every one of several looks, a sentence each; empty: none. */
  readonly differences: readonly string[];
  /** Whether the last look found no difference, and equal totals of the compared coins. */
  readonly isExact: boolean;
}

/** In these states a transaction may be changing the coin on the ledger now. */
const IN_FLIGHT: ReadonlySet<CoinState> = new Set(['executing', 'quarantined', 'maintenance']);

/**
 * Compares every coin of a sponsor on the ledger with the pool, state by state, in a few looks at most, until
 * one finds both equal. While the pool is changing, no look may find them equal although no difference lasts
 * through all of them. Throws `PoolTooNew`, and the errors of either read.
 */
export async function auditPool(
  redis: CoinStoreRedis,
  ledger: Ledger,
  sponsor: string,
): Promise<PoolAudit> {
  await requireReadablePool(redis, sponsor);
  let audit = await look(redis, ledger, sponsor);
  for (let looks = 1; looks < LOOKS && !audit.isExact; looks++) {
    await delay(BETWEEN_LOOKS_MS);
    const again = await look(redis, ledger, sponsor);
    const still = new Set(again.differences);
    audit = { ...again, differences: audit.differences.filter((one) => still.has(one)) };
  }
  return audit;
}

async function look(redis: CoinStoreRedis, ledger: Ledger, sponsor: string): Promise<PoolAudit> {
  const { coins, totals, faults } = await snapshotPool(redis, sponsor);
  const atRest = coins.filter(({ state }) => !IN_FLIGHT.has(state));
  const lookups = await findGasCoins(ledger, sponsor, atRest);
  const all = [...lookups.values()].filter((coin) => coin !== 'gone');
  const onLedger = new Map(all.map((coin) => [coin.objectId, coin]));
  const pooled = new Map(coins.map((coin) => [coin.objectId, coin]));
  const inMaintenance = coins.some(({ state }) => state === 'maintenance');
  const isChanging = ({ objectId }: GasCoin) => {
    const coin = pooled.get(objectId);
    // A split may be making a coin that the pool does not know.
    return coin ? IN_FLIGHT.has(coin.state) : inMaintenance;
  };
  const compared = {
    pool: sumOf(coins.filter((coin) => !isChanging(coin))),
    ledger: sumOf(all.filter((coin) => !isChanging(coin))),
  };
  const differences = [
    ...faults,
    ...coins.flatMap((coin) => compare(coin, onLedger.get(coin.objectId))),
    ...all
      .filter((coin) => !isChanging(coin) && !pooled.has(coin.objectId))
      .map(({ objectId }) => `coin ${objectId} is on the ledger but not in the pool`),
  ];
  return {
    sponsor,
    totals,
    ledger: sumOf(all),
    compared,
    inFlight: { pool: sumOf(coins.filter(isChanging)), ledger: sumOf(all.filter(isChanging)) },
    differences,
    isExact: differences.length === 0 && areEqual(compared.pool, compared.ledger),
  };
}

function sumOf(coins: readonly GasCoin[]): CoinSum {
  const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
  return { coins: BigInt(coins.length), balance };
}

function areEqual(a: CoinSum, b: CoinSum): boolean {
  return a.coins === b.coins && a.balance === b.balance;
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
