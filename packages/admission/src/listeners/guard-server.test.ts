import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConnectionPlaces } from './connection-places.js';
import { guardServer } from './guard-server.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the systems of both ends keep for a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** Node reads 2,500 requests of this length at once. */
const MOST_PARSED = 30;

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function open(
  respond: (response: ServerResponse) => unknown,
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

/** Lets the server read what has arrived: it reads a part in each turn of the event loop, if it reads. */
async function passTurns(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
}

describe('an HTTP server', () => {
  it('answers the first of the requests that are sent ahead, and ends the connection', async () => {
    let handled = 0;
    const socket = await open((response) => {
      handled += 1;
      setImmediate(() => response.end('answer'));
    });
    socket.write(GET.repeat(1_000));
    const text = await readUntilEnd(socket);
    expect([text.match(/answer/g)!.length, handled]).toEqual([1, 1]);
    expect(text).toContain('Connection: close');
  });

  it('ends a connection after a long answer during which a request arrives', async () => {
    const socket = await open((response) => {
      response.write('first ');
      response.req.socket.once('data', () => setImmediate(() => response.end('last')));
    });
    socket.write(GET);
    socket.once('data', () => socket.write(GET));
    expect(await readUntilEnd(socket)).toMatch(/first .*last/s);
  });

  it('answers requests of one connection that wait for each other', async () => {
    const socket = await open((response) => response.end('answer'));
    let text = '';
    for (let count = 1; count <= 50; count++) {
      socket.write(GET);
      while (text.split('answer').length <= count) text += String((await once(socket, 'data'))[0]);
    }
    socket.destroy();
    expect(text).not.toContain('Connection: close');
  });

  it('reads nothing more while requests that were sent ahead wait', async () => {
    let parsed = 0;
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket);
        parsed += 1;
      }
    }
    const socket = await open(
      (response) => passTurns().then(() => response.end('answer')),
      Counted,
    );
    socket.write(GET.repeat(20_000));
    await readUntilEnd(socket);
    expect(parsed).toBeLessThan(MOST_PARSED);
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
    const sockets = [await open((response) => passTurns().then(() => response.end()), Kept)];
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
    while (closed < sockets.length) await new Promise((resolve) => setImmediate(resolve));
    expect(most).toBeLessThan(sockets.length * MOST_PARSED);
  });

  it('reads connections of a client that sent requests ahead one after the other, and those of others at once', async () => {
    let handled = 0;
    const ended = await open((response) => {
      handled += 1;
      setImmediate(() => response.end('answer'));
    });
    ended.write(GET.repeat(10));
    await readUntilEnd(ended);
    const { port } = started[0]!.address() as AddressInfo;
    const again = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    await Promise.all(again.map((socket) => once(socket.resume(), 'connect')));
    for (const socket of again) socket.on('error', () => undefined).write(GET.repeat(10));
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.write(GET.replace('Host', 'Connection: close\r\nHost'));
    await readUntilEnd(other);
    expect(handled).toBeLessThan(again.length);
    for (const socket of again) if (!socket.closed) await once(socket, 'close');
    expect(handled).toBe(again.length + 2);
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

  it.each([
    ['of a known length', 'Content-Length: 9', 'some body'],
    ['in chunks', 'Transfer-Encoding: chunked', '9\r\nsome body\r\n0\r\n\r\n'],
  ])('parses few of the requests after a body %s', async (_form, length, body) => {
    let parsed = 0;
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket);
        parsed += 1;
      }
    }
    const socket = await open((response) => {
      response.req.resume().once('end', () => void passTurns().then(() => response.end()));
    }, Counted);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
    await once(started[0]!, 'request');
    socket.write(body + GET.repeat(2_000));
    await readUntilEnd(socket);
    expect(parsed).toBeLessThan(6 * MOST_PARSED);
  });

  it('stops reading a body that its handler does not read', async () => {
    const socket = await open((response) => {
      response.req.on('data', () => response.req.pause());
    });
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
    const part = Buffer.alloc(64 * 1024);
    const send = () => void (socket.writable && socket.write(part, send));
    send();
    const [request] = (await once(started[0]!, 'request')) as [IncomingMessage];
    await passTurns();
    expect(request.socket.bytesRead).toBeLessThan(2 ** 20);
    socket.destroy();
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
