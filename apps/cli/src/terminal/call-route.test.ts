import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@forecourt/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callRoute } from './call-route.js';

let server: Server;
let origin: string;

/** Answers with the path that was called. */
beforeAll(async () => {
  server = createServer((request, response) =>
    response.end(JSON.stringify({ result: request.url })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('a route', () => {
  it.each([
    ['', '/v1/fleet'],
    ['/', '/v1/fleet'],
    ['/gas', '/gas/v1/fleet'],
    ['/gas/', '/gas/v1/fleet'],
  ])('is called below the address of the gas station, which ends in "%s"', async (path, called) => {
    const connection = { url: `${origin}${path}`, token: undefined };
    expect(await callRoute(connection, 'GET', '/v1/fleet')).toBe(called);
  });

  it('is not called at what is not an address', async () => {
    const call = callRoute({ url: 'gas.example', token: undefined }, 'GET', '/v1/fleet');
    await expect(call).rejects.toThrow('No answer from gas.example');
  });

  it.each(['127.0.0.1', 'localhost'])(
    'that nothing serves at %s is reported with the reason and the remedy',
    async (host) => {
      const connection = { url: `http://${host}:${await freePort()}`, token: undefined };
      await expect(callRoute(connection, 'GET', '/v1/fleet')).rejects.toThrow(
        /^No answer from http:.* \(.*ECONNREFUSED.*\)\. Start the gas station.*FORECOURT_URL/,
      );
    },
  );
});
