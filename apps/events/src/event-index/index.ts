export type { EventSource } from '../upstreams/event-source.js';
export { SERVICE_SESSION } from '../upstreams/node-calls.js';
export { assembleIndex, type IndexParts } from './assemble-index.js';
export { readLedger } from './store/indexed-ledger.js';
export { measureBytes } from './store/indexed-ledger.js';
