import type { GasCoin } from '@forecourt/ledger';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { readCoinRecord } from './coin-record.js';
import { type CoinState, coinStates, parseTotals, type PoolTotals } from './read-pool-totals.js';

/** A coin, where it is, and the reservation or operation that holds it. */
export interface PlacedCoin extends GasCoin {
  readonly state: CoinState;
  readonly holder: string | null;
}

export interface PoolSnapshot {
  readonly coins: readonly PlacedCoin[];
  readonly totals: PoolTotals;
  /** Breaches of the invariant in plain words: a coin in two places or in none, totals that disagree. */
  readonly faults: readonly string[];
}

const IN_FLIGHT: readonly CoinState[] = ['claimed', 'executing', 'quarantined'];

/** One atomic picture of a sponsor's pool. Blocks Redis for about a microsecond a coin. */
export async function snapshotPool(redis: CoinStoreRedis, sponsor: string): Promise<PoolSnapshot> {
  const [records, places, totalPairs, inputs] = (await runOnPool(
    redis,
    'snapshot-pool',
    sponsor,
  )) as [string[], string[], string[], string[]];
  const faults: string[] = [];
  const known = new Map<string, GasCoin>();
  for (let i = 0; i < records.length; i += 2) {
    known.set(records[i]!, readCoinRecord(records[i]!, records[i + 1]!));
  }
  const placed = new Map<string, PlacedCoin>();
  for (const { objectId, state, holder } of eachPlace(places)) {
    const coin = known.get(objectId);
    const before = placed.get(objectId);
    if (!coin) faults.push(`coin ${objectId} is ${state} but has no record`);
    else if (before) faults.push(`coin ${objectId} is both ${before.state} and ${state}`);
    else placed.set(objectId, { ...coin, state, holder });
  }
  for (const objectId of known.keys()) {
    if (!placed.has(objectId)) faults.push(`coin ${objectId} has a record but is in no state`);
  }
  const coins = [...placed.values()];
  const totals = parseTotals(totalPairs);
  faults.push(...compareTotals(coins, totals), ...findStrayLocks(coins, inputs));
  return { coins, totals, faults };
}

function* eachPlace(places: readonly string[]) {
  for (let i = 0; i < places.length; i += 3) {
    const objectIds = places[i + 2]!;
    if (objectIds === '') continue;
    for (const objectId of objectIds.split(',')) {
      yield { objectId, state: places[i] as CoinState, holder: places[i + 1] || null };
    }
  }
}

/** Inputs that are locked for a reservation that is not in flight. */
function findStrayLocks(coins: readonly PlacedCoin[], inputs: readonly string[]): string[] {
  const inFlight = new Set(
    coins.filter(({ state }) => IN_FLIGHT.includes(state)).map(({ holder }) => holder),
  );
  return inputs.flatMap((input, index) => {
    if (index % 2 === 1 || inFlight.has(inputs[index + 1]!)) return [];
    return [
      `input ${input} is locked for reservation ${inputs[index + 1]}, which is not in flight`,
    ];
  });
}

function compareTotals(coins: readonly PlacedCoin[], totals: PoolTotals): string[] {
  return coinStates.flatMap((state) => {
    const there = coins.filter((coin) => coin.state === state);
    const balance = there.reduce((sum, coin) => sum + coin.balance, 0n);
    const faults: string[] = [];
    if (BigInt(there.length) !== totals.coins[state]) {
      faults.push(`${there.length} coins are ${state}, the totals say ${totals.coins[state]}`);
    }
    if (balance !== totals.balance[state]) {
      faults.push(`${state} coins hold ${balance}, the totals say ${totals.balance[state]}`);
    }
    return faults;
  });
}
