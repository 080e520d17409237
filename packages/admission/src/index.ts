export { type BodyRefusal, chargeBodies, type ChargedBodies } from './bodies/charge-bodies.js';
export { CLIENT_HEADER, groupsOf, widestGroupOf } from './clients/client-address.js';
export { findClient, findForwardedClient } from './clients/find-client.js';
export { ConnectionPlaces } from './connections/connection-places.js';
export { countPlaces } from './connections/count-places.js';
export { guardServer } from './connections/guard-server.js';
export { allowedOf, FairShares, type Hold, type ShareLimits } from './shares/fair-shares.js';
