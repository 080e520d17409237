import type { Socket } from 'node:net';
import { median } from '@forecourt/testing/figures';
import { afterEach, describe, expect, it } from '@jest/globals';
import { system } from '../support/systems/listened-system.js';
import { figuresOf, memoryBound, mostUntil } from './process-figures.js';
import { closeAll, openFrom } from './raw-http.js';

const QUERIES = 40;
/** Turns of the processor that other tests take disturb single figures. */
const MOST_TIMES_SLOWER = 8;

const sockets: Socket[] = [];
afterEach(() => closeAll(sockets.splice(0)));

const discover = (id: number) => ({ jsonrpc: '2.0', id, method: 'rpc.discover' });
const DISCOVERIES = JSON.stringify(Array.from({ length: 50 }, (_, id) => discover(id)));
const WIDE = `[${'[],'.repeat(300_000)}[]]`;
const DEEP = '['.repeat(450_000) + ']'.repeat(450_000);
const WIDE_PARAMS = JSON.stringify({ ...discover(1), params: [] }).replace(
  '[]',
  `[${'[],'.repeat(300_000)}[]]`,
);

/** Sends the same body again and again over one connection of one address, as fast as it is answered. */
async function repeat(body: string, from: string): Promise<void> {
  const socket = await openFrom(system.application.url, '127.0.0.1');
  sockets.push(socket);
  const head = `POST /rpc HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\n`;
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  socket.on('data', (data) => {
    // A next one for each answer: its status line is at the beginning of a piece.
    if (data.includes('HTTP/1.1 ')) socket.write(request);
  });
  socket.write(request);
}

async function medianQueryMs(): Promise<number> {
  const times = [];
  for (let count = 0; count < QUERIES; count++) {
    const begin = performance.now();
    const response = await fetch(`${system.application.url}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'ledger_getEvents',
        params: ['All', null, 5],
      }),
    });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('"result"'),
    ]);
    times.push(performance.now() - begin);
  }
  return median(times);
}

describe('JSON-RPC batches over HTTP', () => {
  it.each([
    ['of discoveries', DISCOVERIES, 8],
    ['of empty arrays', WIDE, 4],
    ['that are nested deeply', DEEP, 4],
    ['with many empty arrays as parameters', WIDE_PARAMS, 4],
  ])(
    '%s neither slow down other clients’ queries much nor take memory',
    async (_kind, body, connections) => {
      const events = system.services('events')[0]!;
      const quietMs = await medianQueryMs();
      const quiet = figuresOf(events);
      for (let count = 0; count < connections; count++) await repeat(body, '203.0.113.66');
      let attackedMs = 0;
      const measured = medianQueryMs().then((ms) => (attackedMs = ms));
      const most = await mostUntil(events, measured);
      expect(attackedMs).toBeLessThan(Math.max(50, MOST_TIMES_SLOWER * quietMs));
      expect(most.residentMib).toBeLessThan(memoryBound(quiet));
    },
  );
});
