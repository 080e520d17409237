import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { openPool } from './postgres-database.js';

const database = usePostgres();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The parameters that a pooler such as PgBouncer accepts at the beginning of a connection. */
const KNOWN = ['user', 'database', 'application_name', 'client_encoding', 'TimeZone', 'DateStyle'];

/**
 * Names of the parameters in a startup message: its length, its version, pairs of texts that end with a zero.
 */
function parametersIn(startup: Buffer): string[] {
  const texts = startup.subarray(8).toString().split('\0');
  return texts.filter((text, index) => index % 2 === 0 && text !== '');
}

function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Stands in front of the database and refuses what poolers do not know. Returns its URL. */
async function startPooler(): Promise<string> {
  const { hostname, port } = new URL(database.url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    sockets.push(client.on('error', () => undefined));
    client.once('data', (startup: Buffer) => {
      const unknown = parametersIn(startup).find((name) => !KNOWN.includes(name));
      if (unknown) return client.end(errorMessage(`unsupported startup parameter: ${unknown}`));
      const upstream = connect(Number(port), hostname).on('error', () => undefined);
      sockets.push(upstream);
      upstream.write(startup);
      client.pipe(upstream).pipe(client);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

describe('connections through a pooler that knows few parameters', () => {
  it('have all settings of the session from their first statement on', async () => {
    const settings = { lock_timeout: '7s' };
    const options = { connections: 2, application: 'test', statementMs: 1_500, settings };
    const pool = openPool({ url: await startPooler(), ...options });
    closing.unshift(() => pool.end());
    const names = ['statement_timeout', 'TimeZone', 'DateStyle', 'jit', 'lock_timeout'];
    const show = async () => {
      const values = names.map((name) => `current_setting('${name}')`);
      const { rows } = await pool.query<{ all: string[] }>(
        `SELECT ARRAY[${values.join()}] AS all, pg_sleep(0.1)`,
      );
      return rows[0]!.all;
    };
    // Two at once use two connections.
    for (const values of await Promise.all([show(), show()])) {
      expect(values).toEqual(['1500ms', 'UTC', 'ISO, MDY', 'off', '7s']);
    }
    await expect(pool.query('SELECT pg_sleep(30)')).rejects.toThrow('statement timeout');
  });
});
