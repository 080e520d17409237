import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConnectionPlaces } from './connection-places.js';
import { guardServer } from './guard-server.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the systems of both ends keep for a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** So many requests of this length, and a few more, are in the 64 KiB that Node reads at once. */
const PER_READ = 2_500;

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function open(
  respond: (response: ServerResponse) => void,
  Request = IncomingMessage,
): Promise<Socket> {
  const server = createServer({ IncomingMessage: Request });
  guardServer(server, new ConnectionPlaces(100), (_request, response) => respond(response));
  started.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

async function readUntilEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  await once(socket, 'close');
  return text;
}

describe('an HTTP server', () => {
  it('answers requests that are sent ahead one after the other', async () => {
    let [inProgress, most] = [0, 0];
    const socket = await open((response) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      setImmediate(() => {
        inProgress -= 1;
        response.end('answer');
      });
    });
    socket.write(GET.repeat(9) + GET.replace('Host', 'Connection: close\r\nHost'));
    const text = await readUntilEnd(socket);
    expect([text.match(/answer/g)!.length, most]).toEqual([10, 1]);
  });

  it('ends a connection after some of many requests that are sent ahead', async () => {
    let handled = 0;
    const socket = await open((response) => {
      handled += 1;
      response.end('answer');
    });
    socket.write(GET.repeat(1_000));
    const text = await readUntilEnd(socket);
    expect(text.match(/answer/g)!.length).toBe(handled);
    expect(handled).toBeLessThan(30);
    expect(text).toContain('Connection: close');
  });

  it('reads nothing more while requests that were sent ahead wait', async () => {
    let parsed = 0;
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket);
        parsed += 1;
      }
    }
    const socket = await open((response) => setTimeout(() => response.end('answer'), 100), Counted);
    socket.write(GET.repeat(20_000));
    await readUntilEnd(socket);
    expect(parsed).toBeLessThan(2 * PER_READ);
  });

  it('keeps few of the requests that many connections send ahead at the same time', async () => {
    let [kept, most] = [0, 0];
    class Kept extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket);
        most = Math.max(most, ++kept);
        socket.once('close', () => (kept -= 1)).setMaxListeners(Infinity);
      }
    }
    const sockets = [await open(() => undefined, Kept)];
    const { port } = started[0]!.address() as AddressInfo;
    let accepted = 0;
    started[0]!.on('connection', () => (accepted += 1));
    while (sockets.length < 40) sockets.push(connect(port, '127.0.0.1'));
    while (accepted < sockets.length) await new Promise((resolve) => setImmediate(resolve));
    let closed = 0;
    for (const socket of sockets) {
      socket.on('error', () => undefined).once('close', () => (closed += 1));
      socket.resume().write(GET.repeat(2_300));
    }
    while (closed < sockets.length - 2) await new Promise((resolve) => setImmediate(resolve));
    expect(most).toBeLessThan(5 * PER_READ);
    for (const socket of sockets) socket.destroy();
  });

  it('reads a large body that its handler awaits later', async () => {
    const socket = await open((response) => {
      setImmediate(() => {
        let length = 0;
        response.req.on('data', (part: Buffer) => (length += part.length));
        response.req.on('end', () => response.end(`length ${length}`));
      });
    });
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n',
    );
    socket.write(Buffer.alloc(3_000_000, 'x'));
    expect(await readUntilEnd(socket)).toContain('length 3000000');
  });

  it('parses a body of empty lines in few pieces', async () => {
    let pieces = 0;
    const socket = await open((response) => {
      response.req.on('data', () => (pieces += 1));
      response.req.on('end', () => response.end());
    });
    const body = '\r\n\r\n'.repeat(100_000);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await readUntilEnd(socket);
    expect(pieces).toBeLessThan(body.length / 200);
  });

  it('hands over an upgraded connection with the data that came with the request', async () => {
    const socket = await open((response) => response.end());
    started[0]!.on('upgrade', (_request, upgraded: Socket, head: Buffer) => {
      upgraded.write(head);
      upgraded.on('data', (data) => upgraded.end(data));
    });
    socket.write(`${GET.trimEnd()}\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nfirst `);
    socket.once('data', () => socket.write('second'));
    expect(await readUntilEnd(socket)).toBe('first second');
  });

  it('starts no further request while a response is unread, and then closes the connection', async () => {
    let handled = 0;
    const socket = await open((response) => {
      handled += 1;
      response.end(LARGE);
    });
    socket.write(GET.repeat(3));
    socket.pause();
    const server = started[0]!;
    const [incoming] = (await once(server, 'connection')) as [Socket];
    await once(incoming, 'close');
    expect(handled).toBe(1);
    socket.destroy();
  });

  it('closes a connection whose client sends on and reads nothing', async () => {
    const socket = await open((response) => response.end(LARGE));
    socket.write(GET);
    socket.pause();
    const [incoming] = (await once(started[0]!, 'connection')) as [Socket];
    const sending = setInterval(() => socket.write('\r\n'), 1_000);
    await once(incoming, 'close');
    clearInterval(sending);
    socket.destroy();
  });

  it('sends a large response to a client that reads it slowly', async () => {
    const socket = await open((response) => response.end(LARGE));
    socket.write(GET.replace('Host', 'Connection: close\r\nHost'));
    let received = 0;
    socket.on('data', (data) => {
      received += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await once(socket, 'close');
    expect(received).toBeGreaterThan(LARGE.length);
  });

  it('closes a connection on which a body goes on after it was refused', async () => {
    const socket = await open((response) => response.writeHead(429).end());
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n');
    const part = Buffer.alloc(64 * 1024);
    const send = () => void (socket.writable && socket.write(part, send));
    send();
    socket.resume();
    // It may be reset while it sends.
    await new Promise((resolve) => socket.once('close', resolve));
  });
});
