import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { RedisServer, type RedisServerOptions } from './redis-server.js';

/**
 * Starts a durable Redis (append-only file, no eviction) and waits until it accepts connections.
 * Throws when there is no server program or it ends first; the message holds its output.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'forecourt-redis-'));
  const server = new RedisServer(port, dir, options);
  await server.start();
  return server;
}
