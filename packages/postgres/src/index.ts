export { createDatabase, databaseUrl, dropDatabase, renewDatabase } from './databases.js';
export { findPostgresPrograms } from './find-programs.js';
export {
  PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from './postgres-server.js';
