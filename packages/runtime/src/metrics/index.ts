export {
  type CountGas,
  createGasCounter,
  type LedgerCall,
  measureLedgerCalls,
} from './shared-metrics.js';
export {
  type Counter,
  type Figure,
  type Gauge,
  type Histogram,
  type Labels,
  type MetricOptions,
  Metrics,
  type NoLabels,
} from './metrics.js';
export { cacheRead, startStopwatch } from './cache-read.js';
