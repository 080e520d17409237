import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../redis/index.js';
import { untilReady } from './until-ready.js';

describe('the wait for a service', () => {
  it('asks until it is ready, never from a port that a system gives to connections', async () => {
    const from: number[] = [];
    const server = createServer(({ socket }, response) => {
      from.push(socket.remotePort!);
      response.writeHead(from.length < 12 ? 503 : 200).end('later');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await untilReady(`http://127.0.0.1:${port}`, 60_000, () => true)).toBeNull();
    expect(Math.max(...from)).toBeLessThanOrEqual(20_000);
    expect(from).not.toContain(port);
    server.close();
  });

  it('ends with the service, or after the given time', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await untilReady(url, 60_000, () => false)).toBe('ended before it was ready');
    expect(await untilReady(url, 1, () => true)).toContain(`${url}: no answer`);
  });
});
