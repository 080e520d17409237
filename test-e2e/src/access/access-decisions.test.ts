import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { setRules, system, untilAudited } from '../support/systems/rules-system.js';

describe('a denied transaction', () => {
  it.each([
    ['keep', 200],
    ['free', 400],
  ])('keeps or frees its reservation as the file configures: %s', async (fate, status) => {
    const denying = `  access-policy: allow-all
  denied-reservation: ${fate}
  rules:
    - ptb-command-count: '>1'
      action: deny`;
    await setRules(denying);
    const { application } = system;
    const reservation = await reserved(application);
    const two = await buildSponsored(application, reservation, {
      build: (tx) => {
        const target = '0x2::clock::timestamp_ms';
        tx.moveCall({ target, arguments: [tx.object('0x6')] });
        tx.moveCall({ target, arguments: [tx.object('0x6')] });
      },
    });
    expect((await executeTx(application, reservation, two)).status).toBe(403);
    const one = await buildSponsored(application, reservation);
    const answer = await executeTx(application, reservation, one);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error).toMatch(/was released/);
    expect(await system.control.submissionsOf(two.digest)).toBe(0);
  });

  it('is sponsored and logged while the rules only dry-run', async () => {
    await setRules(`  access-policy: deny-all
  dry-run: true`);
    const { answer, transaction } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    expect(await untilAudited(({ dryRun }) => dryRun === true, 2)).toMatchObject([
      { stage: 'reserve', outcome: 'deny', rule: null },
      { stage: 'execute', outcome: 'deny', rule: null, digest: transaction.digest },
    ]);
  });
});

describe('a hook', () => {
  it('reaches the hook only after the other conditions, passes the caller, and is denied when the hook fails', async () => {
    const heard: { authorization: unknown; signed: unknown; token: unknown }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { authorization, 'x-forecourt-signature': signed } = request.headers;
        heard.push({ authorization, signed, token: (JSON.parse(text) as { token: string }).token });
        response.end('{"decision":"deny","userMessage":"not today"}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await setRules(`  access-policy: allow-all
  rules:
    - action: { url: 'http://127.0.0.1:${port}', timeout: 2s, retries: 0 }`);
    const { answer, reservation, transaction } = await sponsor(system.application);
    expect([answer.status, answer.body.error]).toEqual([403, 'not today']);
    expect(heard).toEqual([
      {
        authorization: undefined,
        token: 'default',
        signed: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      },
    ]);
    server.close();
    server.closeAllConnections();
    const silent = await executeTx(system.application, reservation, transaction);
    expect(silent.status).toBe(503);
    expect(silent.body.error).toMatch(/cannot be evaluated at the moment/);
    expect(silent.headers.get('retry-after')).toBe('1');
  });
});

describe('a burst of reservations', () => {
  it('is decided by the conditions that need no transaction', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - reservation-gas-budget: '<=1000000'
      reservation-duration-secs: '<=30'
      action: allow`);
    const { application } = system;
    const statuses = [
      await reserveGas(application, 1_000_000, 30),
      await reserveGas(application, 1_000_001, 30),
      await reserveGas(application, 1_000_000, 31),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 403, 403]);
  });
});
