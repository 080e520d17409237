import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GasStation } from '@forecourt/client';
import { afterEach, expect, it } from '@jest/globals';
import { awaitFirstCoin } from './first-coin.js';

let server: Server | undefined;
afterEach(() => void server?.close());

/** A gas station whose pool is empty until the first reservation has been refused. */
async function startStation(): Promise<{ station: GasStation; paths: string[] }> {
  const paths: string[] = [];
  server = createServer((request, response) => {
    paths.push(request.url!);
    const isEmpty = paths.length === 1;
    const result =
      request.url === '/v1/release_gas'
        ? { released: true }
        : { reservation_id: 64, sponsor_address: '0x5', gas_coins: [] };
    response.writeHead(isEmpty ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isEmpty ? { error: 'No coins', code: 'POOL_EMPTY' } : { result }));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { station: new GasStation({ url: `http://127.0.0.1:${port}`, token: 'a' }), paths };
}

it('waits until a coin can be reserved, and releases it', async () => {
  const { station, paths } = await startStation();
  await awaitFirstCoin(station, new AbortController().signal);
  expect(paths).toEqual(['/v1/reserve_gas', '/v1/reserve_gas', '/v1/release_gas']);
});

it('stops waiting when the start is interrupted', async () => {
  const { station } = await startStation();
  const reason = new Error('interrupted');
  await expect(awaitFirstCoin(station, AbortSignal.abort(reason))).rejects.toBe(reason);
});
