import { useSystem } from './use-system.js';

export const COINS = 12;

/** A system whose whole pool a test can reserve. */
export const system = useSystem({
  env: { POOL_TARGET_COINS: String(COINS), POOL_MIN_COINS: '1' },
});
