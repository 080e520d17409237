export { PoolMetrics } from '../metrics/pool-metrics.js';
export { adoptNewCoins } from './adopt-new-coins.js';
export { consolidateDust } from './consolidate-dust.js';
export { countServing } from './count-serving.js';
export { fillPool } from './fill-pool.js';
export type { MaintenanceDependencies, MaintenanceSettings } from './maintenance-dependencies.js';
