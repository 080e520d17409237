import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { startTestPostgres } from './start-test-postgres.js';
import { givenTestServer } from './test-database-config.js';

/**
 * Under this name the URL is known to every test file of the process, each of which loads its modules again.
 */
const SHARED = 'forecourt-test-postgres';

/**
 * The URL of the PostgreSQL of all tests in this process: `TEST_DATABASE_URL`, or a private one that ends
 * with the process.
 */
export async function sharedTestServer(): Promise<string> {
  const known = givenTestServer() ?? getEnvironmentData(SHARED);
  if (typeof known === 'string') return known;
  const { server, folder } = await startTestPostgres();
  server.unref();
  endWithThisProcess(server.pid!, folder);
  setEnvironmentData(SHARED, server.url);
  return server.url;
}

/** Ends the server, and removes its folder, once this process has ended. */
export function endWithThisProcess(pid: number, folder: string): void {
  const program = fileURLToPath(new URL('../../bin/remove-postgres.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  });
  child.unref();
}
