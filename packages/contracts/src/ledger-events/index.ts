export * from './alias-methods.js';
export * from './canonical.js';
export * from './event-criterion.js';
export * from './event-filter.js';
export * from './event-methods.js';
export * from './ledger-event.js';
export { DEFAULT_PAGE, LARGEST_PAGE, readCursor } from './read-value.js';
export { type JsonSchema, namedTypes, objectOf, schemaNamed, sequence } from './value-types.js';
