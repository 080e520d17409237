import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { system } from '../support/systems/events-system.js';

const GATEWAY = () => system.application.url;
const COMPATIBLE = () =>
  `http://127.0.0.1:${system.services('gateway')[0]!.options.env['GATEWAY_COMPATIBILITY_PORT']}`;
const healthOf = (app: 'coin-pool' | 'executor' | 'events') => () => system.services(app)[0]!.url;

/** Sends a request with the offer of another protocol, and returns the whole answer. */
async function offer(
  protocol: string,
  [method, path, body]: readonly [method: string, path: string, body: string],
  url = GATEWAY(),
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${system.application.token}`,
    'Connection: Upgrade, HTTP2-Settings, close',
    `Upgrade: ${protocol}`,
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

describe.each(['h2c', 'websocket'])('the offer of %s', (protocol) => {
  it.each([
    ['GET', '/version', '', '200 OK'],
    ['GET', '/v1/nowhere', '', '404 Not Found'],
    ['POST', '/v1/reserve_gas', '{"gas_budget":1,"reserve_duration_secs":1}', '"reservation_id"'],
    ['POST', '/rpc', '{"jsonrpc":"2.0","id":7,"method":"rpc.discover"}', '"id":7,"result"'],
  ])('is ignored in %s %s', async (method, path, body, expected) => {
    expect(await offer(protocol, [method, path, body])).toContain(expected);
  });

  it.each([
    ['the port for other clients', COMPATIBLE, '/version'],
    ['the coin-pool', healthOf('coin-pool'), '/health/live'],
    ['the executor', healthOf('executor'), '/metrics'],
    ['the events service', healthOf('events'), '/health/live'],
  ])('is ignored by %s', async (_listener, url, path) => {
    expect(await offer(protocol, ['GET', path, ''], url())).toContain('200 OK');
  });
});
