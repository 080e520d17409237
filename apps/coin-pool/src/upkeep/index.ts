export { PoolMetrics } from '../metrics/pool-metrics.js';
export { MaintenanceService } from './maintenance.service.js';
export { CoinSplitter, countServing, DustConsolidator, PoolFiller } from './pool-filler.js';
