import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  BOB,
  PACKAGE,
  spendInTurn,
  subject,
} from '../access-rules.test-support.js';

let server: Server | null = null;
afterEach(() => void server?.close());

/** A hook whose answer depends on the sender. */
async function aHook(
  decisions: Record<string, string>,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { sender } = (JSON.parse(text) as { transaction: { sender: string } }).transaction;
      requests.push(sender);
      response.end(JSON.stringify({ decision: decisions[sender] ?? 'noDecision' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Every example with a hook from the page on the access controller of IOTA's gas station, unchanged. */
describe('the documented files of IOTA’s gas station with hooks', () => {
  it('delegate every decision to a hook', async () => {
    const { url, requests } = await aHook({ [ALICE]: 'allow', [BOB]: 'deny' });
    for (const who of ['sender-address: "*"\n      action', 'action']) {
      const text = `
access-controller:
  access-policy: deny-all
  rules:
    - ${who}: ${url}
`;
      expect(
        await allowed(text, subject(), subject({ sender: BOB }), subject({ sender: PACKAGE })),
      ).toEqual([true, false, false]);
    }
    expect(requests).toHaveLength(6);
  });

  it('call a hook only about transactions that the other terms let through', async () => {
    const { url, requests } = await aHook({ [ALICE]: 'allow', [BOB]: 'allow' });
    const text = `
   access-controller:
      access-policy: deny-all
      rules:
        - sender-address: "${ALICE}"
          transaction-gas-budget: '<1000000' # allowed operators: =, !=, <, >, <=, >=
          action: ${url}
`;
    expect(
      await allowed(text, subject(), subject({ gasBudget: 1_000_000n }), subject({ sender: BOB })),
    ).toEqual([true, false, false]);
    expect(requests).toEqual([ALICE]);
  });

  it('call a hook between other rules', async () => {
    const { url, requests } = await aHook({ [BOB]: 'deny' });
    const text = `
   access-controller:
      access-policy: deny-all
      rules:
        - sender-address: "${ALICE}"
          transaction-gas-budget: '<1000000'
          action: allow
        - action: ${url}
        - sender-address: "*"
          gas-usage:
            value: '<1000000'
            window: 1 day
            count-by: [ sender-address ]
`;
    const undecided = subject({ sender: PACKAGE });
    expect(
      await spendInTurn(text, subject(), subject({ sender: BOB }), undecided, undecided, undecided),
    ).toEqual(['allow', 'deny', 'allow', 'limited', 'limited']);
    expect(requests).not.toContain(ALICE);
  });

  it('send separate headers to a hook', async () => {
    const seen: string[] = [];
    server = createServer((request, response) => {
      seen.push(String(request.headers['foo']));
      response.end('{"decision":"allow"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const text = `
access-controller:
  access-policy: deny-all
  rules:
  - action:
      url: http://127.0.0.1:${(server.address() as AddressInfo).port}
      headers:
        foo:
        - bar
`;
    expect(await allowed(text, subject())).toEqual([true]);
    expect(seen).toEqual(['bar']);
  });
});
