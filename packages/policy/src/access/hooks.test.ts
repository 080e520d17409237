import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@forecourt/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  call,
  decide,
  file,
  PACKAGE,
  read,
  subject,
} from './access-rules.test-support.js';
import { HookCaller } from './hooks/hook-caller.js';
import { readAccessRules } from './read-access-rules.js';

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function aHook(
  answer: (response: ServerResponse, requests: readonly Asked[]) => void,
): Promise<{ url: string; requests: Asked[] }> {
  const requests: Asked[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      requests.push({ headers: request.headers, text });
      answer(response, requests);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

const rules = (url: string, more = '', timeout = '20 s') =>
  read(file('deny-all', `    - action: { url: "${url}", timeout: ${timeout}${more} }`));

const allow = (response: ServerResponse) => void response.end('{"decision":"allow"}');

describe('a hook', () => {
  it('receives the decoded and the raw transaction, signed, and never the caller’s token', async () => {
    const { url, requests } = await aHook(allow);
    const header = (name: string) => ({ 'x-user': 'u1', authorization: 'Bearer secret' })[name];
    const of = subject({ moveCalls: [call(PACKAGE)] }, { header });
    const read = await rules(url, ', forward-headers: [X-User, x-none]');
    expect((await decide(read, of, {}, new HookCaller('shared'))).outcome).toBe('allow');
    const { headers, text } = requests[0]!;
    expect(JSON.parse(text)).toMatchObject({
      executeTxRequest: {
        payload: { reservationId: 7, txBytes: 'AAAA', userSig: 'BBBB' },
        headers: { 'x-user': ['u1'] },
      },
      token: 'shop',
      reservation: { gasBudget: 2_000_000 },
      transaction: { sender: ALICE, gasBudget: '500000', moveCalls: [call(PACKAGE)] },
    });
    expect(JSON.stringify([headers, text])).not.toContain('secret');
    const [, timestamp, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(headers['x-forecourt-signature']),
    )!;
    expect(mac).toBe(createHmac('sha256', 'shared').update(`${timestamp}.${text}`).digest('hex'));
  });

  it('has its message for the user stripped of control characters and truncated', async () => {
    const userMessage = `\u001b[31mno\u202e ${'x'.repeat(2_000)}`;
    const { url } = await aHook((response) =>
      response.end(JSON.stringify({ decision: 'deny', userMessage })),
    );
    const { outcome, message } = await decide(await rules(url), subject());
    expect(outcome).toBe('deny');
    expect(message).toMatch(/^\[31mno {2}x+$/);
    expect(message).toHaveLength(500);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['an error', (response) => response.writeHead(500).end('{"decision":"allow"}')],
    ['a refusal', (response) => response.writeHead(404).end('{"decision":"allow"}')],
    ['no JSON', (response) => response.end('allow')],
    ['no decision of the three', (response) => response.end('{"decision":"maybe"}')],
    ['a prototype’s name', (response) => response.end('{"__proto__":{"decision":"allow"}}')],
    ['null', (response) => response.end('null')],
    ['too much', (response) => response.end(`{"decision":"allow","x":"${'x'.repeat(70_000)}"}`)],
    ['half an answer', (response) => void response.write('{"decision":')],
    ['nothing', () => undefined],
    ['a broken connection', (response) => void response.destroy()],
    [
      'another address',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])('a hook that answers with %s does not allow', async (_what, answer) => {
    const { url } = await aHook(answer);
    const read = await rules(url, '', '200 ms');
    await expect(decide(read, subject())).rejects.toMatchObject({ name: 'AccessUndecided' });
  });

  it.each([
    ['allow', 'allow'],
    ['no-decision', 'deny'],
  ])('a hook that is down decides as its when-down says: %s', async (whenDown, outcome) => {
    const { url } = await aHook((response) => void response.destroy());
    const read = await rules(url, `, when-down: ${whenDown}`);
    expect((await decide(read, subject())).outcome).toBe(outcome);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a refusal', (response) => response.writeHead(413).end('too large')],
    ['no JSON', (response) => response.end('allow')],
    ['no decision of the three', (response) => response.end('{"decision":"maybe"}')],
    ['too much', (response) => response.end('x'.repeat(70_000))],
    [
      'another address',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])(
    'a hook that answers with %s, however often, is not down, so that its when-down does not apply',
    async (_what, answer) => {
      const { url, requests } = await aHook(answer);
      const hooks = new HookCaller(null);
      const read = await rules(url, ', when-down: allow, retries: 3');
      for (let i = 0; i < 15; i++) {
        await expect(decide(read, subject(), {}, hooks)).rejects.toMatchObject({
          name: 'AccessUndecided',
        });
      }
      expect(requests).toHaveLength(15);
    },
  );

  it('is called again after a failure, as often as its retries say', async () => {
    const { url, requests } = await aHook((response, { length }) =>
      length < 3 ? void response.destroy() : allow(response),
    );
    expect((await decide(await rules(url, ', retries: 2'), subject())).outcome).toBe('allow');
    expect(requests).toHaveLength(3);
  });

  it('is not called for a while after ten failures in a row', async () => {
    const { url, requests } = await aHook((response) => void response.destroy());
    const hooks = new HookCaller(null);
    const read = await rules(url, ', retries: 0');
    for (let i = 0; i < 20; i++) {
      await expect(decide(read, subject(), {}, hooks)).rejects.toThrow();
    }
    expect(requests.length).toBe(10);
  });

  it.each(['allow', 'no-decision', 'deny'])(
    'a hook with too many waiting calls leaves a transaction undecided, whatever its when-down: %s',
    async (whenDown) => {
      const waiting: ServerResponse[] = [];
      const { url } = await aHook((response) => void waiting.push(response));
      const hooks = new HookCaller(null);
      const text = file(
        'allow-all',
        `    - action: { url: "${url}", timeout: 20s, max-concurrent: 1, when-down: ${whenDown} }`,
      );
      const read = await readAccessRules(text, '/rules.yaml');
      const asking = Array.from({ length: 6 }, () => decide(read, subject(), {}, hooks));
      const results = Promise.allSettled(asking);
      // One is in progress and one waits; the other four fail at once.
      const [, , ...others] = asking;
      for (const other of others) {
        await expect(other).rejects.toMatchObject({ name: 'AccessUndecided' });
      }
      const denyAll = setInterval(() => {
        for (const response of waiting.splice(0)) response.end('{"decision":"deny"}');
      }, 5);
      const settled = await results;
      clearInterval(denyAll);
      expect(settled.slice(0, 2)).toMatchObject([
        { status: 'fulfilled', value: { outcome: 'deny' } },
        { status: 'fulfilled', value: { outcome: 'deny' } },
      ]);
    },
  );

  it('is asked about what it may deny, and allows only what its rule covers', async () => {
    const { url, requests } = await aHook(allow);
    const rule = (policy: string, more = '') =>
      file(policy, `    - move-call-package-address: "${PACKAGE}"${more}\n      action: ${url}`);
    const withPublish = {
      moveCalls: [call(PACKAGE)],
      commandKinds: ['MoveCall', 'Publish'] as const,
    };
    const other = { moveCalls: [call(PACKAGE), call(ALICE)] };
    for (const more of [withPublish, other]) {
      expect(await allowed(rule('deny-all'), subject(more))).toEqual([false]);
    }
    expect(requests).toHaveLength(2);
    const named = rule('deny-all', '\n      command-kind: [MoveCall, Publish]');
    expect(await allowed(named, subject(withPublish))).toEqual([true]);
    server.close();
    server.closeAllConnections();
    const denying = await aHook((response) => void response.end('{"decision":"deny"}'));
    const text = rule('allow-all').replace(url, denying.url);
    expect(await allowed(text, subject(withPublish), subject(other))).toEqual([false, false]);
  });

  it('gets no more concurrent calls than its max-concurrent', async () => {
    const held: ServerResponse[] = [];
    const { url } = await aHook((response) => void held.push(response));
    const hooks = new HookCaller(null);
    const read = await rules(url, ', max-concurrent: 2, retries: 0');
    let refused = 0;
    const asking = Array.from({ length: 12 }, (_, i) =>
      decide(read, subject({}, { caller: `caller${i}` }), {}, hooks).catch(() => (refused += 1)),
    );
    // Two are in progress and two wait; the others fail at once.
    await waitUntil(async () => refused === 8 && held.length === 2);
    held.splice(0).forEach(allow);
    await waitUntil(async () => held.length === 2);
    held.splice(0).forEach(allow);
    await Promise.all(asking);
    expect([refused, held.length]).toEqual([8, 0]);
  });
});
