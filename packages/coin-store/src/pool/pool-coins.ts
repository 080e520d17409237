import type { GasCoin, PaymentImpact } from '@forecourt/ledger';
import {
  type CoinStoreRedis,
  fieldsOf,
  poolKey,
  runScript,
} from '../scripts/prepare-coin-store.js';

/** The place of an unused coin, by its balance. */
export interface PlacementRules {
  /** Smaller coins are dust: they wait to be consolidated. */
  readonly dustBelow: bigint;
  /** Coins of this size and above are kept whole until they are split. */
  readonly treasuryFrom: bigint;
}

/** The rules for a pool with new coins of `targetBalance`. */
export function placementRules(targetBalance: bigint): PlacementRules {
  return { dustBelow: targetBalance / 10n, treasuryFrom: targetBalance * 3n };
}

/** Whether a coin is too small to sponsor with. */
export function isDust(balance: bigint, rules: PlacementRules): boolean {
  return balance < rules.dustBelow || balance === 0n;
}

/** `d` (dust), `t` (treasury), or the class of balance of an available coin. */
export function placeOf(balance: bigint, rules: PlacementRules): string {
  if (isDust(balance, rules)) return 'd';
  if (balance >= rules.treasuryFrom) return 't';
  return String(classOf(balance));
}

/** Whether the remainder of coins after a used-up budget may be too small to sponsor with. */
export function mayLeaveDust(
  coins: readonly { readonly balance: bigint }[],
  gasBudget: number,
  rules: PlacementRules,
): boolean {
  const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
  return isDust(balance - BigInt(gasBudget), rules);
}

/** Effect of a transaction on the pool's coins: `paid` are the payment coins, `left` is the remaining one. */
export function paymentImpact(
  paid: readonly GasCoin[],
  left: GasCoin | null,
  gasPrice: bigint,
  rules: PlacementRules,
): PaymentImpact {
  return {
    gasPrice,
    smashedCoins: paid.length - 1,
    leavesDust: left !== null && isDust(left.balance, rules),
  };
}

/** Eight classes to each doubling: a coin chosen by class is at most an eighth larger than necessary. */
const CLASSES_PER_DOUBLING = 8n;

/** The class of a balance: grows with it, equal for balances within an eighth of each other. */
export function classOf(balance: bigint): number {
  if (balance < CLASSES_PER_DOUBLING) return Number(balance);
  const magnitude = BigInt(balance.toString(2).length - 1);
  const step = (balance >> (magnitude - 3n)) - CLASSES_PER_DOUBLING;
  return Number((magnitude - 2n) * CLASSES_PER_DOUBLING + step);
}

/** The smallest class all of whose coins cover a budget. */
export function coveringClassOf(budget: bigint): number {
  return classOf(budget - 1n) + 1;
}

/** The smallest balance of a class. */
export function leastOf(balanceClass: number): bigint {
  const place = BigInt(balanceClass);
  if (place < CLASSES_PER_DOUBLING) return place;
  const magnitude = place / CLASSES_PER_DOUBLING + 2n;
  return (CLASSES_PER_DOUBLING + (place % CLASSES_PER_DOUBLING)) << (magnitude - 3n);
}

/** Stored form of a coin: `balance:place:objectId:version:digest`. */
export function writeCoin(coin: GasCoin, place: string): string {
  return [coin.balance, place, coin.objectId, coin.version, coin.digest].join(':');
}

/** Reads a stored coin. Throws `Error` for malformed text. */
function readCoin(text: string): GasCoin {
  const [balance, , objectId, version, digest] = text.split(':');
  if (!balance || !objectId || version === undefined || digest === undefined) {
    throw new Error(`stored coin cannot be read: ${text}`);
  }
  return { objectId, version: Number(version), digest, balance: BigInt(balance) };
}

/** Reads a list of coins, comma-separated. Throws `Error` for a malformed one. */
export function readCoinList(text: string): GasCoin[] {
  return text === '' ? [] : text.split(',').map(readCoin);
}

/** Arguments for a script: objectId and coin of each. */
export function writeCoins(coins: readonly GasCoin[], rules: PlacementRules): [string, string][] {
  return coins.map((coin) => [coin.objectId, writeCoin(coin, placeOf(coin.balance, rules))]);
}

const COINS_PER_CALL = 500;
/** Redis counts in signed 64 bits; a ledger's whole supply stays below. */
const LARGEST_SUM = 2n ** 63n - 1n;

/** Those that the pool does not have. */
export async function listUnknownCoins(
  redis: CoinStoreRedis,
  sponsor: string,
  coins: readonly GasCoin[],
): Promise<GasCoin[]> {
  if (coins.length === 0) return [];
  const ids = coins.map(({ objectId }) => objectId);
  const known = await redis.smismember(poolKey(sponsor, 'coins'), ids);
  return coins.filter((_, index) => known[index] === 0);
}

/**
 * Adopts coins of the sponsor; skips those that the pool knows, or that left it recently. Returns the number of new
 * ones. Throws `RangeError` if the pool's balance and the gas it has paid would exceed 63 bits.
 */
export async function adoptCoins(
  redis: CoinStoreRedis,
  sponsor: string,
  coins: readonly GasCoin[],
  rules: PlacementRules,
): Promise<number> {
  const { balance, gasCharged } = await readPoolTotals(redis, sponsor);
  const funds = Object.values(balance).reduce((sum, part) => sum + part, gasCharged);
  if (coins.reduce((sum, coin) => sum + coin.balance, funds) > LARGEST_SUM) {
    throw new RangeError(`the balance of ${sponsor}'s pool would exceed ${LARGEST_SUM}`);
  }
  let adopted = 0;
  for (let from = 0; from < coins.length; from += COINS_PER_CALL) {
    const some = coins.slice(from, from + COINS_PER_CALL);
    const args = writeCoins(some, rules).flat();
    adopted += Number(await runScript(redis, 'adopt-coins', sponsor, ...args));
  }
  return adopted;
}

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
    made: counter('made'),
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
