export {
  type ReplayedToken,
  type ReplayParts,
  type ReplaySettings,
  TrafficReplay,
} from './traffic-replay.js';
export type { DecidedReport } from './replay-report.js';
