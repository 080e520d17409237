import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ephemeral ports of outgoing connections, which could take a port that was found free.
const LOWEST = 20_000;
const HIGHEST = 26_000;
/**
 * A process that hands out a port listens this far above it until it ends, so that no other process
 * hands out the same one.
 */
const CLAIM_OFFSET = 6_000;

/** A free TCP port of loopback that no running process has handed out. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const claim = await listen(port + CLAIM_OFFSET);
    if (claim === null) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
}

/** Whether nothing listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === null) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Null when the port is in use. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer().unref();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}
