export { readCrashPoints } from './crash-points-config.js';
export { armCrashPoints, type CrashPoint, crashPoints, passCrashPoint } from './crash-points.js';
