import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { useStarted } from '@forecourt/testing/jest';
import { startTestPostgres } from '@forecourt/testing/postgres';
import { ROOT, waitUntil } from '@forecourt/testing/system';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../history.test-support.js';

/** Its certificate names 127.0.0.1, and its key is not secret. */
const CERTIFICATES = join(ROOT, 'test-e2e/src/chaos/certificates');
const AUTHORITY = `&sslrootcert=${join(CERTIFICATES, 'ca.crt')}`;

const postgres = useStarted(startTestPostgres, (started) => started.stop());

/** Whether a connection with this URL is encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const database = openDatabase(url);
  try {
    const { rows } = await database.pool.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return rows[0]!.ssl;
  } finally {
    await database.close();
  }
}

async function turnTlsOn(): Promise<void> {
  const { server, folder } = postgres;
  const data = join(folder, 'server', 'data');
  for (const file of ['server.crt', 'server.key']) {
    copyFileSync(join(CERTIFICATES, file), join(data, file));
    // The server reads a key only if it owns it, and no other user may read it.
    chmodSync(join(data, file), 0o600);
    const { uid, gid } = statSync(data);
    chownSync(join(data, file), uid, gid);
  }
  const database = openDatabase(server.url);
  await database.pool.query('ALTER SYSTEM SET ssl = on');
  await database.pool.query('SELECT pg_reload_conf()');
  await database.close();
}

describe('a database whose certificate a private authority has issued', () => {
  it('is used over TLS with sslmode=verify-full, if its certificate is trusted and names it', async () => {
    await turnTlsOn();
    const { url } = postgres.server;
    const verified = `${url}?sslmode=verify-full`;
    await waitUntil(() => isEncrypted(verified + AUTHORITY).catch(() => false));
    await expect(isEncrypted(verified)).rejects.toThrow(/verify the first certificate/);
    const elsewhere = verified.replace('127.0.0.1', 'localhost');
    await expect(isEncrypted(elsewhere + AUTHORITY)).rejects.toThrow(/altnames/);
    expect(await isEncrypted(url)).toBe(false);
  });
});
