import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requestsUpgradedAt } from './offering-request.js';

let server: Server;
beforeEach(async () => {
  server = createServer({ IncomingMessage: requestsUpgradedAt('/rpc') }, (request, response) => {
    response.end(`served ${request.method} ${request.url}`);
  });
  server.on('upgrade', (_request, socket: Socket) => socket.end('upgraded'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

async function send(requestLine: string, ...offers: readonly string[]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const headers = ['Host: x', 'Connection: upgrade, close', 'Content-Length: 2'];
  socket.write(`${[requestLine, ...headers, ...offers].join('\r\n')}\r\n\r\n{}`);
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  await once(socket, 'close');
  return answer;
}

const PLAIN = 'GET /rpc HTTP/1.1';

describe('an offer to upgrade', () => {
  it.each([
    ['opens a WebSocket at its path', PLAIN, ['Upgrade: websocket']],
    ['opens one in any case, with a query', 'GET /rpc?a=1 HTTP/1.1', ['Upgrade: WebSocket']],
  ])('%s', async (_what, requestLine, offers) => {
    expect(await send(requestLine, ...offers)).toBe('upgraded');
  });

  it.each([
    ['to speak HTTP/2', PLAIN, ['Upgrade: h2c']],
    ['of several protocols', PLAIN, ['Upgrade: h2c, websocket']],
    ['at another path', 'GET /version HTTP/1.1', ['Upgrade: websocket']],
    ['below the path', 'GET /rpc/ HTTP/1.1', ['Upgrade: websocket']],
    ['with a POST', 'POST /rpc HTTP/1.1', ['Upgrade: websocket']],
    ['over HTTP/1.0', 'GET /rpc HTTP/1.0', ['Upgrade: websocket']],
  ])('is ignored: %s', async (_what, requestLine, offers) => {
    const [method, path] = requestLine.split(' ');
    expect(await send(requestLine, ...offers)).toContain(`served ${method} ${path}`);
  });

  it('leaves the connection to the request after it', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const offer = 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n';
    socket.write(offer);
    let answers = '';
    socket.once('data', () => socket.write(offer.replace('/a', '/b').replace('upgrade', 'close')));
    socket.on('data', (data) => (answers += String(data)));
    await once(socket, 'close');
    expect(answers.match(/served GET \/[ab]/g)).toEqual(['served GET /a', 'served GET /b']);
  });
});
