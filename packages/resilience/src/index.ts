export { findExpense } from './check-structure.js';
export {
  allowedOf,
  CLIENT_SHARE,
  FairBulkhead,
  FairShares,
  type Hold,
  NoPlace,
  shareAt,
  type ShareLimits,
  TOKEN_SHARE,
} from './fair-bulkhead.js';
export { RestAfterFailure } from './rest-after-failure.js';
export { readRetryAfter, retryAfterSecs } from './retry-after.js';
export { TokenBuckets } from './token-buckets.js';
