import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below what systems hand out to outgoing connections, so that none of those can take a port that was found free.
const LOWEST = 20_000;
const HIGHEST = 32_000;

const handedOut = new Set<number>();

/** A free port of loopback that this process has not handed out before. */
export async function randomPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
}

/** Whether nothing listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
