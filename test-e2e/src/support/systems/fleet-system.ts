import { useSharedSystem } from '../use-system.js';

/** Several replicas of each service on one Redis. */
export const system = useSharedSystem('fleet', {
  gateways: 2,
  coinPools: 2,
  executors: 3,
  env: { POOL_TARGET_COINS: '200' },
});
