import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { awaitFirstCoin } from './first-coin.js';

const EMPTY = { coins: {}, suspended_secs: null };
const SUSPENDED = { coins: { available: { coins: 9, balance: '9' } }, suspended_secs: 30 };
const FULL = { coins: { available: { coins: 1, balance: '9' } }, suspended_secs: null };

let server: Server | undefined;
afterEach(() => void server?.close());

/** A gateway that shows these fleets, one after the other, and the last one forever. */
async function startGateway(...fleets: readonly (readonly object[])[]) {
  const paths: string[] = [];
  server = createServer((request, response) => {
    const sponsors = fleets[Math.min(paths.length, fleets.length - 1)];
    paths.push(request.url!);
    response.end(JSON.stringify(sponsors ? { result: { sponsors } } : { error: 'Unauthorized' }));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const options = { gatewayUrl: `http://127.0.0.1:${port}`, token: 'a', say };
  return { options, paths, said };
}

const running = () => new AbortController().signal;

describe('the wait for the first coin', () => {
  it('ends when one of the sponsors has one, and reserves nothing', async () => {
    const { options, paths, said } = await startGateway([EMPTY], [EMPTY, FULL]);
    await awaitFirstCoin({ ...options, stop: running() });
    expect([paths, said]).toEqual([['/v1/fleet', '/v1/fleet'], []]);
  });

  it('says until when coins are compared with the ledger, once', async () => {
    const waits = Array.from({ length: 12 }, () => [SUSPENDED]);
    const { options, said } = await startGateway(...waits, [FULL]);
    await awaitFirstCoin({ ...options, stop: running() });
    expect(said[0]).toMatch(/started anew: .* compared with the ledger, about \d\d:\d\d$/);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  it('fails where the gateway does not show a fleet', async () => {
    const { options } = await startGateway();
    const failure = awaitFirstCoin({ ...options, stop: running() });
    await expect(failure).rejects.toThrow('Unauthorized');
  });

  it('stops when the start is interrupted', async () => {
    const { options } = await startGateway([EMPTY]);
    const reason = new Error('interrupted');
    const stop = AbortSignal.abort(reason);
    await expect(awaitFirstCoin({ ...options, stop })).rejects.toBe(reason);
  });
});
