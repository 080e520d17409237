export { poolMetrics } from '../metrics/pool-metrics.js';
export type { PoolParts, PoolSettings } from '../pool/pool-parts.js';
export { adoptNewCoins } from './adopt-new-coins.js';
export { countServing } from './count-serving.js';
export { fillPool } from './fill-pool.js';
export { foldDust } from './fold-dust.js';
