export { type CountGas, createGasCounter } from './create-gas-counter.js';
export { type LedgerCall, measureLedgerCalls } from './measure-ledger-calls.js';
export { Metrics } from './metrics.js';
export type {
  Counter,
  Figure,
  Gauge,
  Histogram,
  Labels,
  MetricOptions,
  NoLabels,
} from './ports.js';
export { cacheRead } from './cache-read.js';
export { startStopwatch } from './stopwatch.js';
