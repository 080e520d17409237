import type { ListOrder } from '@forecourt/contracts';

/** Compares reservation ids by their places in a list: below 0 if the first one comes first. */
export function compareIn(order: ListOrder = 'newest'): (a: number, b: number) => number {
  return order === 'oldest' ? (a, b) => a - b : (a, b) => b - a;
}
