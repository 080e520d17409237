import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@forecourt/testing/system';

const HOST = '127.0.0.1';

/** Frames a message as Nest's TCP transport does. */
export function frame(pattern: object, data: object, id = '1'): string {
  const message = JSON.stringify({ id, pattern: JSON.stringify(pattern), data });
  return `${message.length}#${message}`;
}

/** Opens a connection on loopback; later errors of it only show as its `close` event. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, HOST);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/**
 * Sends pieces one after the other, each after the answer to the previous one, and returns what arrives until
 * an end or `ms`.
 */
export async function sendPieces(
  port: number,
  pieces: readonly (string | Buffer)[],
  ms = 2_000,
): Promise<string> {
  const socket = await openConnection(port);
  let arrived = '';
  socket.on('data', (data) => (arrived += data.toString('latin1')));
  const signal = AbortSignal.timeout(ms);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const over = Promise.race([closed, once(signal, 'abort')]);
  for (const piece of pieces) {
    const answered = once(socket, 'data', { signal }).catch(() => undefined);
    socket.write(piece);
    await Promise.race([answered, over]);
  }
  socket.destroy();
  return arrived;
}

/** A listener that forwards all traffic to `port` and records what clients sent, in pieces. */
export interface Recorder {
  readonly port: number;
  readonly sent: readonly Buffer[];
  close(): void;
}

export async function recordTo(target: number): Promise<Recorder> {
  const sent: Buffer[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((client) => {
    const onward = connect(target, HOST);
    for (const socket of [client, onward]) socket.on('error', () => client.destroy());
    client.on('data', (data) => sent.push(data));
    client.pipe(onward).pipe(client);
    sockets.push(client, onward);
  });
  const port = await freePort();
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    port,
    sent,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
