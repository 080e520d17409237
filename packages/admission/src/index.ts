export {
  CLIENT_HEADER,
  findClient,
  findForwardedClient,
  groupsOf,
  plainAddress,
  widestGroupOf,
} from './client-address.js';
export { findExpense } from '@forecourt/resilience';
export { MemoryBudget, type MemoryConsumer } from './limits/memory-budget.js';
export { ProcessorShares } from './limits/processor-shares.js';
export { TurnShares } from './limits/turn-shares.js';
export { WindowCounter } from './limits/window-counter.js';
export { guardServer } from './listeners/guard-server.js';
export { readJson } from './listeners/read-json.js';
export { type BodyRefusal, chargeBodies, type ChargedBodies } from './listeners/charge-bodies.js';
export { ConnectionPlaces, countPlaces } from './listeners/connection-places.js';
export { requestsUpgradedAt } from './listeners/offering-request.js';
