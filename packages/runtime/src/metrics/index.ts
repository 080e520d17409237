export { Metrics } from './metrics.js';
export {
  type Counter,
  type Figure,
  FRESH_MS,
  type Gauge,
  type Histogram,
  type Labels,
} from './metric.js';
export { type LedgerCall, measureLedgerCalls } from './measure-ledger-calls.js';
export { type CountGas, createGasCounter } from './create-gas-counter.js';
export { startStopwatch } from './start-stopwatch.js';
