import type { GasCoin } from '@forecourt/ledger';
import { type CoinPast, writeFound } from './found-transactions.js';
import { classOf } from './coin-classes.js';
import { type CoinState, coinStates, parseTotals, type PoolTotals } from './pool-totals.js';
import { type PlacementRules, placeOf } from './placement-rules.js';
import { readCoinList, writeCoin } from './stored-coins.js';
import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';

/**
 * A coin, its state, and the reservation or operation that holds it; none holds a withheld one, which is in
 * maintenance.
 */
export interface PlacedCoin extends GasCoin {
  readonly state: CoinState;
  readonly holder: string | null;
}

/** Whether a coin waits for its comparison with the ledger. */
export function isWithheld({ state, holder }: PlacedCoin): boolean {
  return state === 'maintenance' && holder === null;
}

export interface PoolSnapshot {
  readonly coins: readonly PlacedCoin[];
  /** Ids of coins that the pool has in no state. */
  readonly unplaced: readonly string[];
  readonly totals: PoolTotals;
  /** Violations of the invariant, a sentence each: a coin in two places or in none, totals that disagree. */
  readonly faults: readonly string[];
}

const IN_FLIGHT: readonly CoinState[] = ['claimed', 'executing', 'quarantined'];

/** One atomic snapshot of a sponsor's pool. Blocks Redis for about a microsecond a coin. */
export async function snapshotPool(redis: CoinStoreRedis, sponsor: string): Promise<PoolSnapshot> {
  const [objectIds, places, counters, inputs] = (await runScript(
    redis,
    'snapshot-pool',
    sponsor,
  )) as [string[], Place[], (string | number)[], string[]];
  const faults: string[] = [];
  const known = new Set(objectIds);
  const placed = new Map<string, PlacedCoin>();
  for (const coin of listPlaced(places)) {
    const { objectId, state } = coin;
    const before = placed.get(objectId);
    if (!known.has(objectId))
      faults.push(`coin ${objectId} is ${state} but not in the pool's set of coins`);
    else if (before) faults.push(`coin ${objectId} is both ${before.state} and ${state}`);
    else placed.set(objectId, coin);
  }
  const unplaced = objectIds.filter((objectId) => !placed.has(objectId));
  for (const objectId of unplaced) {
    faults.push(`coin ${objectId} is in the pool's set of coins but in no state`);
  }
  const coins = [...placed.values()];
  const totals = parseTotals(counters);
  faults.push(...compareTotals(coins, totals), ...findStrayLocks(coins, inputs));
  return { coins, unplaced, totals, faults };
}

type Place = [state: CoinState, holder: string, coins: string];

function listPlaced(places: readonly Place[]): PlacedCoin[] {
  return places.flatMap(([state, holder, coins]) =>
    readCoinList(coins).map((coin) => {
      // See `withholdCoin` of lua/includes/maintenance.lua.
      const hasHolder = holder !== '' && holder !== `lost-${coin.objectId}`;
      return { ...coin, state, holder: hasHolder ? holder : null };
    }),
  );
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

const NOTHING_FOUND: CoinPast = { found: [], unexplained: 0n, cause: 'outside_pool' };

/**
 * Corrects an unused coin, a withheld one, or one in an unused reservation, which then ends. `after`: its
 * current state; null when it is gone. `past`: what has changed it; its gas is counted, and history records
 * it. False when the coin has changed since it was read.
 */
export async function renewCoin(
  redis: CoinStoreRedis,
  sponsor: string,
  renewal: {
    before: PlacedCoin;
    after: GasCoin | null;
    rules: PlacementRules;
    retentionMs: number;
    past?: CoinPast | undefined;
  },
): Promise<boolean> {
  const { before, after, rules, retentionMs, past = NOTHING_FOUND } = renewal;
  const reply = await runScript(
    redis,
    'renew-coin',
    sponsor,
    before.objectId,
    writeCoin(before, placeIn(before)),
    after === null ? '' : writeCoin(after, placeOf(after.balance, rules)),
    before.holder ?? '',
    retentionMs,
    past.cause,
    String(past.unexplained),
    ...writeFound(past.found),
  );
  return reply === 1;
}

/** The coin's place, by rules that may have changed since; only available coins are reserved. */
function placeIn({ state, balance }: PlacedCoin): string {
  if (state === 'dust') return 'd';
  return state === 'treasury' ? 't' : String(classOf(balance));
}
