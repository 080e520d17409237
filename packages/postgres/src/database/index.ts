export { applyMigrations } from './apply-migrations.js';
export { type Cell, copyRows } from './copy-rows.js';
export { openPool, PostgresDatabase, setParameters } from './postgres-database.js';
