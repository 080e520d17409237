import { percentile } from '@forecourt/testing/figures';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ATTACKER, compatibilityUrl, system } from '../support/systems/listened-system.js';
import { closeAll, openFrom, requestsFor } from './raw-http.js';

const CONNECTIONS = 300;
const AHEAD = requestsFor('/', 2_000);
const NEWCOMERS = 500;
/**
 * Turns of the processor that other tests take disturb single figures, and whole rounds; they only add to a
 * time.
 */
const NOISE_MS = 100;
const ROUNDS = 3;

const sockets: Socket[] = [];
afterEach(() => closeAll(sockets.splice(0)));

/** Of clients that each open a connection for one request. */
async function newcomersP99(url: string, path: string): Promise<number> {
  const times = [];
  for (let count = 0; count < NEWCOMERS; count++) {
    const begin = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { connection: 'close' } });
    expect(response.status).toBe(200);
    await response.text();
    times.push(performance.now() - begin);
  }
  return percentile(times, 0.99);
}

/** Resolves when all connections are closed. */
async function sendAhead(url: string): Promise<void> {
  const opening = Array.from({ length: CONNECTIONS }, () => openFrom(url, ATTACKER));
  const opened = await Promise.all(opening);
  sockets.push(...opened);
  for (const socket of opened) socket.resume().write(AHEAD);
  const isClosed = async (socket: Socket) => void (socket.closed || (await once(socket, 'close')));
  await Promise.all(opened.map(isClosed));
}

/** The p99 of newcomers beside the attack and after it, in relation to the most that is allowed. */
async function measureExcess(url: string, path: string): Promise<number> {
  const quiet = await newcomersP99(url, path);
  const ended = sendAhead(url);
  const attacked = await newcomersP99(url, path);
  await ended;
  const after = await newcomersP99(url, path);
  return Math.max(attacked, after) / Math.max(NOISE_MS, 2 * quiet);
}

describe('requests that many connections send ahead', () => {
  it.each([
    ['the public port', '/version', () => system.application.url],
    ['the compatibility port', '/version', compatibilityUrl],
    ['the events service', '/health/live', () => system.services('events')[0]!.options.url],
  ])('keep no newcomer waiting, and end their connections, at %s', async (_port, path, urlOf) => {
    const url = urlOf();
    const excesses = [];
    do excesses.push(await measureExcess(url, path));
    while (excesses.at(-1)! >= 1 && excesses.length < ROUNDS);
    expect(Math.min(...excesses)).toBeLessThan(1);
  });
});
