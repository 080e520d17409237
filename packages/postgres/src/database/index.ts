export { applyMigrations, type MigrationFolder } from './apply-migrations.js';
export { type Cell, copyRows, type JsonCell } from './copy-rows.js';
export {
  openPool,
  PostgresDatabase,
  type PostgresOptions,
  setParameters,
} from './postgres-database.js';
