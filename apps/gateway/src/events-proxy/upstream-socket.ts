import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@forecourt/runtime/config';
import { CLIENT_HEADER } from '@forecourt/admission';

const REFUSED = 'HTTP/1.1 503';

/**
 * Forwards a client's upgrade to the first replica that accepts it: one that cannot be reached, is stopping
 * or has no room is skipped. Resolves with the replica's socket, whose answer is still to be read, or with
 * null.
 */
export async function openUpstreamSocket(
  request: IncomingMessage,
  client: string,
  replicas: readonly Endpoint[],
  timeoutMs: number,
): Promise<Socket | null> {
  const head = writeHead(request, client);
  for (const replica of replicas) {
    const socket = await openAt(replica, head, timeoutMs).catch(() => null);
    if (socket) return socket;
  }
  return null;
}

function openAt({ host, port }: Endpoint, head: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('closed without an answer')));
    socket.once('connect', () => socket.write(head));
    socket.once('data', (answer: Buffer) => {
      socket.setTimeout(0);
      if (answer.toString('latin1', 0, REFUSED.length) === REFUSED) {
        socket.destroy();
        return reject(new Error('refused'));
      }
      socket.pause();
      socket.unshift(answer);
      resolve(socket);
    });
  });
}

/** Headers that are for the gateway only, or that it writes itself. */
const NOT_PASSED_ON = new Set(['authorization', CLIENT_HEADER]);

/** The request as it arrived, without the token and with the client's address. */
function writeHead({ url, rawHeaders }: IncomingMessage, client: string): string {
  const lines = [`GET ${url} HTTP/1.1`, `${CLIENT_HEADER}: ${client}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (NOT_PASSED_ON.has(rawHeaders[index]!.toLowerCase())) continue;
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
