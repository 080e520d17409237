export { TrafficReplay } from './traffic-replay.js';
export type { DecidedReport, ReplayedChange, ReplayReport } from './replay-report.js';
