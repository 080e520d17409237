import { useSharedSystem } from '../use-system.js';

export const COINS = 12;

/** A system whose whole pool a test can reserve. */
export const system = useSharedSystem('small-pool', {
  env: {
    POOL_TARGET_COINS: String(COINS),
    POOL_MIN_COINS: '1',
    // All coins but one cover the largest budget, also after many transactions; all of them never cover twice
    // that.
    POOL_TARGET_BALANCE: '150000000',
  },
});
