import { chmodSync, cpSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase, databaseUrl, dropDatabase } from './databases.js';
import { findEmbeddedPrograms } from './embedded-programs.js';
import { findPostgresPrograms } from './find-programs.js';
import { PostgresServer, startPostgresServer } from './postgres-server.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-postgres-test-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

const aServer = async (name: string, over = {}) =>
  new PostgresServer({
    folder: join(folder, name),
    port: await freePort(),
    password: 'p@ss/word',
    isDurable: false,
    ...over,
  });

describe('a private PostgreSQL', () => {
  it('requires its password, and keeps its data over a kill', async () => {
    const server = await aServer('kept');
    await server.start();
    await createDatabase(server.url, 'shop');
    await createDatabase(server.url, 'shop');
    const shop = databaseUrl(server.url, 'shop');
    await ask(shop, 'CREATE TABLE sold AS SELECT 7 AS number');
    const stranger = Object.assign(new URL(shop), { password: 'other' }).href;
    await expect(ask(stranger, 'SELECT 1')).rejects.toThrow('password authentication failed');
    server.kill('SIGQUIT');
    await server.stop();
    expect(server.running).toBe(false);
    await server.start();
    expect(await ask(shop, 'SELECT number FROM sold')).toEqual([{ number: 7 }]);
    const held = new pg.Client({ connectionString: shop });
    held.on('error', () => undefined);
    await held.connect();
    await dropDatabase(server.url, 'shop');
    await expect(ask(shop, 'SELECT 1')).rejects.toThrow('does not exist');
    await server.stop();
  });

  it('ends while clients are connected', async () => {
    const server = await aServer('busy');
    await server.start();
    const client = new pg.Client({ connectionString: server.url });
    const cut = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await server.stop();
    expect(String(await cut)).toContain('terminating connection');
    expect(server.running).toBe(false);
  });

  it('names the reason if it cannot start', async () => {
    const first = await aServer('first');
    await first.start();
    const port = Number(new URL(first.url).port);
    const options = { folder: join(folder, 'second'), port, password: 'p', isDurable: false };
    await expect(startPostgresServer(options)).rejects.toThrow(/Address already in use/);
    await first.stop();
  });
});

describe('a private PostgreSQL in a folder that its account may not enter', () => {
  it('keeps its data over a restart, also with programs that it may not enter', async () => {
    const hidden = join(folder, 'hidden');
    mkdirSync(hidden, { mode: 0o700 });
    const installed = findPostgresPrograms();
    cpSync(dirname(findEmbeddedPrograms()!), join(hidden, 'native'), { recursive: true });
    const programs = { folder: join(hidden, 'native', 'bin'), version: installed.version + 100 };
    const over = { folder: join(hidden, 'server'), programs };
    const server = await aServer('', over);
    await server.start();
    await createDatabase(server.url, 'shop');
    await server.stop();
    const again = await aServer('', over);
    await again.start();
    expect(await ask(databaseUrl(again.url, 'shop'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await again.stop();
    rmSync(dirname(again.logFile), { recursive: true });
  });
});

describe('the programs', () => {
  it('are those of the package from npm where none is installed, with the links between its libraries', async () => {
    const programs = { folder: findEmbeddedPrograms()!, version: 18 };
    const library = join(programs.folder, '..', 'lib', 'libpq.so.5');
    expect(readlinkSync(library)).toMatch(/^libpq\.so\.5\.\d+$/);
    expect(statSync(join(programs.folder, 'postgres')).mode & 0o111).toBe(0o111);
    const server = await aServer('embedded', { programs });
    await server.start();
    const [row] = await ask<{ version: string }>(server.url, 'SELECT version()');
    expect(row!.version).toMatch(/^PostgreSQL 18\./);
    await server.stop();
  });

  it('are those of PATH if their release is supported', () => {
    const found = findPostgresPrograms();
    expect(found.version).toBeGreaterThanOrEqual(15);
    expect(findPostgresPrograms(`/nowhere:${found.folder}`)).toEqual(found);
  });
});
