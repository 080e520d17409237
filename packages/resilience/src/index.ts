export { findExpense } from './check-structure.js';
export { type BulkheadOptions, FairBulkhead } from './fair-bulkhead.js';
export { NoPlace } from './no-place.js';
export {
  allowedOf,
  CLIENT_SHARE,
  FairShares,
  type Hold,
  shareAt,
  TOKEN_SHARE,
} from './fair-shares.js';
export { eventsLimits } from './limits/events-limits.js';
export { gatewayLimits } from './limits/gateway-limits.js';
export type { Limit, Limits } from './limits/limit.js';
export { listenerLimits } from './limits/listener-limits.js';
export { rememberAnswer } from './remember-answer.js';
export { RestAfterFailure } from './rest-after-failure.js';
export { readRetryAfter, retryAfterSecs } from './retry-after.js';
export { onTicks, untilTick } from './ticks.js';
export { TokenBuckets } from './token-buckets.js';
