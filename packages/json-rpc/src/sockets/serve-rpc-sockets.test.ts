import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import type { CallMethod } from '../call-method.js';
import { ConnectionDropped } from '../connection-dropped.js';
import { frameText } from './rpc-connection.js';
import type { RpcSocketOptions } from './handle-socket.js';
import { type RpcSockets, serveRpcSockets } from './serve-rpc-sockets.js';

const OPTIONS: RpcSocketOptions = {
  path: '/rpc',
  maxBatch: 10,
  maxMessageBytes: 1_000,
  maxConnections: 2,
  pingIntervalMs: 60_000,
  maxPendingCalls: 2,
  maxBufferedBytes: 100_000,
  onHalfClosed: (connection) => {
    connection.send('last');
    connection.close(1001, 'bye');
  },
};

/** The least time that a message takes, so that even a fast machine handles only a few in one turn. */
const MESSAGE_MS = 0.1;

let server: Server;
let sockets: RpcSockets;
let waiting: (() => void)[];
let mostAtOnce: number;
let onOrder: (name: string) => void;
beforeEach(async () => {
  waiting = [];
  mostAtOnce = 0;
  await start(OPTIONS);
});
afterEach(stop);

async function start(options: RpcSocketOptions) {
  server = createServer();
  sockets = serveRpcSockets(server, call, options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function stop() {
  await sockets.close('test finished', 100);
  server.close();
}

const call: CallMethod = async (method, params, { connection, afterReply }) => {
  switch (method) {
    case 'push': {
      const [sizes] = params as [number[]];
      afterReply(() => {
        for (const size of sizes) connection!.sendFrame(frameText('ü'.repeat(size / 2)));
      });
      return 'pushed';
    }
    case 'wait':
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        mostAtOnce = Math.max(mostAtOnce, waiting.length);
      });
      return 'waited';
    case 'order':
      onOrder(String((params as string[])[0]));
      return null;
    case 'drop':
      throw new ConnectionDropped();
    default:
      return params;
  }
};

async function open(path = '/rpc') {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const messages: string[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    messages.push((data as Buffer).toString());
    wake();
  });
  await once(socket, 'open');
  const next = async () => {
    while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return messages.shift()!;
  };
  const send = (method: string, params: unknown[], id = 1) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return { socket, next, send };
}

describe('serveRpcSockets, with pings', () => {
  beforeEach(async () => {
    await stop();
    await start({ ...OPTIONS, pingIntervalMs: 50 });
  });

  it('keeps a client whose responses to pings are unread because of its pending calls', async () => {
    const { next, send, socket } = await open();
    for (let id = 0; id < 3; id++) send('wait', [], id);
    for (let pings = 0; pings < 5; pings++) await once(socket, 'ping');
    waiting.shift()!();
    expect(JSON.parse(await next())).toMatchObject({ result: 'waited' });
    socket.close();
  });

  it('disconnects a client that reads nothing', async () => {
    const { send, socket } = await open();
    socket.pause();
    const [connection] = sockets.connections;
    for (let id = 0; id < 3; id++) send('push', [Array<number>(100).fill(200_000)], id);
    await once(connection!.closed, 'abort');
    socket.terminate();
  });
});

describe('serveRpcSockets', () => {
  it('sends frames of every size after the response that they follow', async () => {
    const { next, send, socket } = await open();
    const sizes = [0, 2, 124, 126, 65_534, 65_536, 200_000];
    send('push', [sizes]);
    expect(JSON.parse(await next())).toEqual({ jsonrpc: '2.0', id: 1, result: 'pushed' });
    for (const size of sizes) expect(Buffer.byteLength(await next())).toBe(size);
    send('echo', ['still there']);
    expect(JSON.parse(await next())).toMatchObject({ result: ['still there'] });
    socket.close();
  });

  it('pauses reading while the maximum number of calls is running', async () => {
    const { next, send, socket } = await open();
    for (let id = 0; id < 6; id++) send('wait', [], id);
    const answered = new Set<number>();
    while (answered.size < 6) {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
      waiting.shift()!();
      answered.add((JSON.parse(await next()) as { id: number }).id);
    }
    expect(mostAtOnce).toBe(2);
    socket.close();
  });

  it('refuses other paths, and connections beyond the limit', async () => {
    await expect(open('/other')).rejects.toThrow(/404/);
    const [first] = [await open(), await open()];
    await expect(open()).rejects.toThrow(/503/);
    const [connection] = sockets.connections;
    const gone = once(connection!.closed, 'abort');
    first.socket.close();
    await gone;
    await open();
  });

  it('survives an error of a connection that it refuses', async () => {
    const socket = Object.assign(new PassThrough(), { destroySoon: () => undefined });
    server.emit('upgrade', { url: '/other' } as IncomingMessage, socket, Buffer.alloc(0));
    expect(String(socket.read())).toMatch(/^HTTP\/1\.1 404 /);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy(new Error('read ECONNRESET'));
    await closed;
  });

  it('drops the connection when a call throws ConnectionDropped', async () => {
    const { send, socket } = await open();
    send('drop', []);
    expect(await once(socket, 'close')).toEqual([1006, Buffer.alloc(0)]);
  });

  it('closes every connection with a reason when it is closed', async () => {
    const { socket } = await open();
    const closed = once(socket, 'close');
    await sockets.close('going', 1_000);
    expect(await closed).toEqual([1001, Buffer.from('going')]);
    await expect(open()).rejects.toThrow();
  });

  it('still sends to a client that has ended its half of the TCP connection', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const upgrade = ['GET /rpc HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    socket.write(`${[...upgrade, ...key].join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    socket.end();
    const rest: Buffer[] = [];
    for await (const chunk of socket) rest.push(chunk as Buffer);
    const length = 2 + 'bye'.length;
    expect(Buffer.concat(rest)).toEqual(
      Buffer.concat([
        frameText('last'),
        Buffer.from([0x88, length, 0x03, 0xe9]),
        Buffer.from('bye'),
      ]),
    );
  });

  it('terminates a client that does not close within the grace period', async () => {
    const { socket } = await open();
    socket.pause();
    await sockets.close('going', 50);
    expect(sockets.connections.size).toBe(0);
    socket.terminate();
  });

  it('serves other clients between the messages of one that sends many at once', async () => {
    const many = await open();
    const other = await open();
    const order: string[] = [];
    onOrder = (name) => {
      if (order.length === 0) other.send('order', ['other']);
      order.push(name);
      spin(MESSAGE_MS);
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'order', params: ['many', 'x'.repeat(900)] };
    const text = JSON.stringify(message);
    for (let sent = 0; sent < 1_000; sent++) many.socket.send(text);
    for (let answered = 0; answered < 1_000; answered++) await many.next();
    expect(order).toHaveLength(1_001);
    expect(order.indexOf('other')).toBeLessThan(300);
  });
});

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
