export * from './claim-reservation.js';
export * from './coin-pool-patterns.js';
export * from './find-reservation.js';
export * from './read-usages.js';
export * from './release-reservation.js';
export * from './reload-access-rules.js';
export * from './reserve-gas.js';
export * from './waiter.js';
