export { createDatabase, databaseUrl, dropDatabase, renewDatabase } from './databases.js';
export { findPostgresPrograms, type PostgresPrograms } from './find-programs.js';
export {
  PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from './postgres-server.js';
