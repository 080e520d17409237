export * from './canonical.js';
export * from './canonical-struct-tag.js';
export * from './event-criterion.js';
export * from './event-filter.js';
export * from './event-id.js';
export * from './event-methods.js';
export * from './ledger-event.js';
