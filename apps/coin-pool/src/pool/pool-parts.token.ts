/** Injection token of `PoolParts`. */
export const POOL_PARTS = Symbol('POOL_PARTS');
