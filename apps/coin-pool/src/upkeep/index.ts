export { PoolMetrics } from '../metrics/pool-metrics.js';
export { MaintenanceService } from './maintenance.service.js';
export { countServing, PoolFiller } from './pool-filler.js';
export { DustConsolidator } from './dust-consolidator.js';
export { CoinSplitter } from './coin-splitter.js';
