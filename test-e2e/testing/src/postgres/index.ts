export { givenTestServer } from './test-database-config.js';
export { sharedTestServer } from './shared-test-server.js';
export { startTestPostgres } from './start-test-postgres.js';
