import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from '@forecourt/postgres';
import { freePort } from '../redis/free-port.js';

/** Small, and quick to start; data need not survive a crash of the machine. */
const SETTINGS = { shared_buffers: '64MB', max_connections: '100', autovacuum_naptime: '10s' };

export interface TestPostgres {
  readonly server: PostgresServer;
  readonly folder: string;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** A private PostgreSQL in a temporary folder. A test may kill it and start it again. */
export async function startTestPostgres(
  options: Pick<PostgresServerOptions, 'isDurable' | 'settings' | 'watchdog'> = {},
): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-postgres-'));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await startPostgresServer({
      folder: join(folder, 'server'),
      port: await freePort(),
      password: randomBytes(12).toString('hex'),
      isDurable: false,
      settings: SETTINGS,
      ...options,
    });
    const stop = async () => {
      await server.stop();
      remove();
    };
    return { server, folder, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
