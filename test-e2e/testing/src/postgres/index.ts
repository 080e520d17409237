export { givenTestServer } from './test-database-config.js';
export { sharedTestServer } from './shared-test-server.js';
export { startTestPostgres, type TestPostgres } from './start-test-postgres.js';
