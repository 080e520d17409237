/**
 * The number and sizes of the coins: least balance, a power of two → coins. Averages are not whole.
 */
export interface PoolShape {
  /** Coins to sponsor with, also those in use. */
  readonly serving: number;
  /** Coins kept whole until they are split. */
  readonly treasury: number;
  /** Available coins. */
  readonly sizes: ReadonlyMap<bigint, number>;
}

/** The mean of several shapes. */
export function averageShape(shapes: readonly PoolShape[]): PoolShape {
  const sizes = new Map<bigint, number>();
  for (const shape of shapes) {
    for (const [size, coins] of shape.sizes) {
      sizes.set(size, (sizes.get(size) ?? 0) + coins / shapes.length);
    }
  }
  const mean = (part: 'serving' | 'treasury') =>
    shapes.reduce((sum, shape) => sum + shape[part], 0) / shapes.length;
  return {
    serving: mean('serving'),
    treasury: mean('treasury'),
    sizes: new Map([...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * The share of the coins that would have to change size to turn one distribution into the other: 0
 * to 1.
 */
export function distance(one: PoolShape, other: PoolShape): number {
  const all = ({ sizes }: PoolShape) => [...sizes.values()].reduce((sum, coins) => sum + coins, 0);
  const share = (shape: PoolShape, size: bigint) => (shape.sizes.get(size) ?? 0) / all(shape);
  const sizes = new Set([...one.sizes.keys(), ...other.sizes.keys()]);
  return (
    [...sizes].reduce((sum, size) => sum + Math.abs(share(one, size) - share(other, size)), 0) / 2
  );
}
