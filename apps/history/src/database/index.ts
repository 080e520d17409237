export { Database, type DatabaseSettings } from './database.js';
export { migrate } from './migrations.js';
export { Partitions } from './partitions.js';
export { DAY_MS, firstIdAt, RESERVATION_BITS } from './record-ids.js';
