export {
  CLIENT_HEADER,
  findClient,
  findForwardedClient,
  groupsOf,
  widestGroupOf,
} from './client-address.js';
export { allowedOf, FairShares, type Hold, type ShareLimits } from './limits/fair-shares.js';
export {
  CLIENT_SHARE,
  eventsLimits,
  gatewayLimits,
  type Limit,
  type Limits,
  listenerLimits,
  TOKEN_SHARE,
} from './limits/limits-table.js';
export { MemoryBudget, type MemoryConsumer } from './limits/memory-budget.js';
export { readRetryAfter, retryAfterSecs } from './limits/retry-after.js';
export { TokenBuckets } from './limits/token-buckets.js';
export { TurnShares } from './limits/turn-shares.js';
export { type Window, WindowCounter } from './limits/window-counter.js';
export { type BodyRefusal, chargeBodies, type ChargedBodies } from './listeners/charge-bodies.js';
export { ConnectionPlaces, countPlaces } from './listeners/connection-places.js';
export { guardServer } from './listeners/guard-server.js';
