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
