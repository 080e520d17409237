import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { system } from '../support/systems/events-system.js';

/** Sends a request as clients do that would rather speak HTTP/2, and returns the whole answer. */
async function offerHttp2(method: string, path: string, body: string): Promise<string> {
  const { url, token } = system.application;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${token}`,
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  await once(socket, 'close');
  return answer;
}

it.each([
  ['GET', '/version', '', '200 OK'],
  ['GET', '/v1/nowhere', '', '404 Not Found'],
  ['POST', '/v1/reserve_gas', '{"gas_budget":1,"reserve_duration_secs":1}', '"reservation_id"'],
  ['POST', '/rpc', '{"jsonrpc":"2.0","id":7,"method":"rpc.discover"}', '"id":7,"result"'],
])('ignores the offer of HTTP/2 in %s %s', async (method, path, body, expected) => {
  expect(await offerHttp2(method, path, body)).toContain(expected);
});
