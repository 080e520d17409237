export { Database, migrate } from './database.js';
export { Partitions } from './partitions.js';
export { DAY_MS, firstIdAt, refusalId, RESERVATION_BITS } from './record-ids.js';
