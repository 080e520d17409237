import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { call, reserveGas } from '../support/application.js';
import { as, ATTACKER, system } from '../support/systems/listened-system.js';
import { closeAll, openFrom, unfinished } from './raw-http.js';

const PROBES = 10;

const sockets: Socket[] = [];
afterEach(() => closeAll(sockets.splice(0)));

/** Requests whose bodies are announced and do not arrive. */
async function sendIdle(count: number, path: string, token?: string, more = ''): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const length = sent % 2 === 0 ? 'Transfer-Encoding: chunked' : 'Content-Length: 1048576';
    const socket = await openFrom(system.application.url, ATTACKER);
    sockets.push(socket.resume());
    const head = unfinished({ path, length, ...(token !== undefined && { token }) });
    socket.write(more === '' ? head : head.replace('\r\n', `\r\n${more}\r\n`));
  }
}

/** Answers to another caller, one after the other. */
async function probe(ask: () => Promise<number>): Promise<number[]> {
  const statuses = [];
  for (let count = 0; count < PROBES; count++) statuses.push(await ask());
  return [...new Set(statuses)];
}

async function reserveAndRelease(): Promise<number> {
  const { status, body } = await reserveGas(system.application, 1_000_000, 1);
  const { reservation_id } = (body.result ?? {}) as { reservation_id?: number };
  if (reservation_id) await call(system.application, 'POST', '/v1/release_gas', { reservation_id });
  return status;
}

describe('request bodies that do not arrive', () => {
  it('keep no other caller from reserving, executing, dry-running or building', async () => {
    const { token } = as('attacker');
    await sendIdle(64, '/v1/reserve_gas', token);
    await sendIdle(200, '/v1/execute_tx', token);
    await sendIdle(8, '/v1/dry_run_tx', token);
    await sendIdle(8, '/v1/build_tx', token);
    expect(await probe(reserveAndRelease)).toEqual([200]);
    for (const path of ['/v1/execute_tx', '/v1/dry_run_tx', '/v1/build_tx']) {
      const ask = async () => (await call(system.application, 'POST', path, {})).status;
      expect([path, await probe(ask)]).toEqual([path, [400]]);
    }
  });

  it('keep no other client from /rpc, from whatever part of a network they come', async () => {
    for (let part = 0; part < 32; part++) {
      const from = `X-Forwarded-For: 2001:db8:0:${part.toString(16)}::1`;
      await sendIdle(4, '/rpc', undefined, from);
    }
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' });
    const ask = async () => {
      const init = { method: 'POST', headers, body };
      const response = await fetch(`${system.application.url}/rpc`, init);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await probe(ask)).toEqual([200]);
  });

  it('of a paused token are refused at once', async () => {
    const pause = { token: 'attacker', reason: 'idle bodies' };
    expect((await call(as('admin'), 'POST', '/v1/pause', pause)).status).toBe(200);
    await system.until(async () => (await reserveGas(as('attacker'))).status === 503);
    const socket = await openFrom(system.application.url, ATTACKER);
    sockets.push(socket);
    const { token } = as('attacker');
    const length = 'Content-Length: 1048576';
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(data.toString('latin1'))),
    );
    socket.write(unfinished({ path: '/v1/reserve_gas', token, length }));
    expect(await answer).toContain('Sponsoring is paused');
    await call(as('admin'), 'POST', '/v1/resume', { token: 'attacker' });
  });
});
