import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, buildSponsored, executeTx, reserved } from '../../support/application.js';
import { system } from '../../support/systems/rules-system.js';
import { setRules } from './attacked-rules.js';

const CALLS = 12;
const MAX_AT_ONCE = 4;
/** One caller takes half of the places, and has half of those for waiting calls. */
const HELD = MAX_AT_ONCE;

let hook: Server;
let url: string;
const waiting: ServerResponse[] = [];
beforeAll(async () => {
  hook = createServer((request, response) => {
    request.resume().on('end', () => waiting.push(response));
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
});
afterAll(() => {
  hook?.close();
  hook?.closeAllConnections();
});

describe('a hook that denies, and whose failure would allow', () => {
  it('allows nothing when more calls arrive at once than it may receive', async () => {
    const { application, control } = system;
    await setRules(
      `    - action: { url: '${url}', timeout: 20s, retries: 0, max-concurrent: ${MAX_AT_ONCE}, when-down: allow }`,
    );
    const reservations = await Promise.all(
      Array.from({ length: CALLS }, () => reserved(application)),
    );
    const transactions = await Promise.all(
      reservations.map((reservation) => buildSponsored(application, reservation)),
    );
    const answers: Answer[] = [];
    const executing = reservations.map(async (reservation, index) => {
      answers.push(await executeTx(application, reservation, transactions[index]!));
    });
    await system.until(async () => answers.length === CALLS - HELD);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers[0]!.headers.get('retry-after')).toBe('1');
    const denying = setInterval(() => {
      for (const response of waiting.splice(0)) response.end('{"decision":"deny"}');
    }, 10);
    await Promise.all(executing);
    clearInterval(denying);
    expect(answers.slice(-HELD).map(({ status }) => status)).toEqual(
      Array.from({ length: HELD }, () => 403),
    );
    for (const { digest } of transactions) expect(await control.submissionsOf(digest)).toBe(0);
  });
});
