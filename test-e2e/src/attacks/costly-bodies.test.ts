import { median } from '@forecourt/testing/figures';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { call, reserveGas } from '../support/application.js';
import { as, ATTACKER, compatibilityUrl, system } from '../support/systems/listened-system.js';
import { figuresOf, memoryBound, mostUntil } from './process-figures.js';
import { closeAll, openFrom, unfinished } from './raw-http.js';

const CONNECTIONS = 4;
const RESERVATIONS = 30;
/** Turns of the processor that other tests take disturb single figures. */
const MOST_TIMES_SLOWER = 8;

const sockets: Socket[] = [];
afterEach(() => closeAll(sockets.splice(0)));

const MEBIBYTE = 2 ** 20;
const DEEP = `{"reservation_id":${'['.repeat(MEBIBYTE - 20)}`;
/** Within the size that a transaction needs. */
const DEEP_SMALLER = DEEP.slice(0, 200_000);
const NUMBERS = `{"reservation_id":[${'1,'.repeat(90_000)}1]}`;
const FIELDS = `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":1`).join(',')}}`;

/** Sends the same body again and again over one connection, which is opened again when it is closed. */
async function repeat(url: string, path: string, token: string | null, body: string) {
  const socket = await openFrom(url, ATTACKER);
  sockets.push(socket);
  const length = `Content-Length: ${body.length}`;
  const request = unfinished({ path, length, part: body, ...(token !== null && { token }) });
  socket.on('data', (data) => {
    if (data.includes('HTTP/1.1 ')) socket.write(request);
  });
  socket.once('close', () => {
    if (sockets.includes(socket)) void repeat(url, path, token, body);
  });
  socket.write(request);
}

async function medianReservationMs(): Promise<number> {
  const times = [];
  for (let count = 0; count < RESERVATIONS; count++) {
    const begin = performance.now();
    const { status, body } = await reserveGas(system.application, 1_000_000, 5);
    times.push(performance.now() - begin);
    expect(status).toBe(200);
    const { reservation_id } = body.result as unknown as { reservation_id: number };
    await call(system.application, 'POST', '/v1/release_gas', { reservation_id });
  }
  return median(times);
}

describe('bodies that are slow to parse', () => {
  it.each([
    ['deep ones of 1 MiB to execute', '/v1/execute_tx', DEEP],
    ['deep ones to execute', '/v1/execute_tx', DEEP_SMALLER],
    ['numbers to dry-run', '/v1/dry_run_tx', NUMBERS],
    ['fields to build', '/v1/build_tx', FIELDS],
    ['deep ones to reserve', '/v1/reserve_gas', DEEP],
  ])('slow down no other caller much: %s', async (_kind, path, body) => {
    const gateway = system.services('gateway')[0]!;
    const quietMs = await medianReservationMs();
    const quiet = figuresOf(gateway);
    const { token } = as('attacker');
    const urls = [system.application.url, compatibilityUrl()];
    for (let count = 0; count < CONNECTIONS; count++) {
      await repeat(urls[count % urls.length]!, path, token, body);
    }
    let attackedMs = 0;
    const measured = medianReservationMs().then((ms) => (attackedMs = ms));
    const most = await mostUntil(gateway, measured);
    expect(attackedMs).toBeLessThan(Math.max(50, MOST_TIMES_SLOWER * quietMs));
    expect(most.residentMib).toBeLessThan(memoryBound(quiet));
  });

  it.each([
    ['a caller', '/v1/execute_tx', DEEP_SMALLER, true, 400],
    ['a caller, beyond what the route needs', '/v1/reserve_gas', DEEP_SMALLER, true, 413],
    ['a client without a token, for no route', '/nowhere', DEEP_SMALLER, false, 413],
  ])('are refused to %s', async (_whom, path, body, isCaller, status) => {
    const application = { ...system.application, token: isCaller ? as('attacker').token : '' };
    // The attacks before may have used the attacker's share of the processor up.
    let answer = await call(application, 'POST', path, body);
    while (answer.status === 503) answer = await call(application, 'POST', path, body);
    expect(answer.status).toBe(status);
  });
});
