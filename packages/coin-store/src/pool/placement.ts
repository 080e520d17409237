import type { GasCoin, PaymentImpact } from '@forecourt/ledger';

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
