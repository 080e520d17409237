import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildSponsored, executeTx, reserved, sponsor } from '../../support/application.js';
import { ownedObject, signRaw } from '../../support/raw-transaction.js';
import { system } from '../../support/systems/rules-system.js';
import { applicationOf } from '../../support/tokens-file.js';
import { setRules } from './attacked-rules.js';

const VICTIM = 'shop';
/** More failures than close a hook, at once. */
const STALLED_AT_ONCE = 24;
const VICTIM_CALLS = 12;

let hook: Server;
let url: string;
/** Questions to the hook: the caller's token, and the sender of the transaction. */
const requests: { readonly token: string; readonly sender: string }[] = [];

beforeAll(async () => {
  hook = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
});
afterAll(() => {
  hook?.close();
  hook?.closeAllConnections();
});

/** Allows what the victim does, and never answers about anything else. */
async function answer(request: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk.toString();
  const { token, transaction } = JSON.parse(text) as {
    token: string;
    transaction: { sender: string };
  };
  requests.push({ token, sender: transaction.sender });
  if (token === VICTIM) response.end('{"decision":"allow"}');
}

describe('a hook that one caller makes time out', () => {
  it('is open to others all the time', async () => {
    const { application } = system;
    await setRules(`    - action: { url: '${url}', timeout: 300 ms, retries: 0 }`);
    const attacks = Array.from({ length: STALLED_AT_ONCE }, async () => {
      const reservation = await reserved(application, 10_000_000, 20);
      return { reservation, transaction: await buildSponsored(application, reservation) };
    });
    const stalling = (await Promise.all(attacks)).map(({ reservation, transaction }) =>
      executeTx(application, reservation, transaction),
    );
    const statuses: number[] = [];
    while (statuses.length < VICTIM_CALLS) {
      const { answer } = await sponsor(applicationOf(VICTIM, application));
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(statuses.map(() => 200));
    const refused = await Promise.all(stalling);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
    const { answer: afterwards } = await sponsor(applicationOf(VICTIM, application));
    expect(afterwards.status).toBe(200);
  });

  it('is not called for a transaction that the ledger would not accept', async () => {
    const shop = applicationOf(VICTIM, system.application);
    const user = new Ed25519Keypair();
    const reservation = await reserved(shop);
    const digest = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
    const input = ownedObject({ objectId: '0x2', version: 1, digest });
    const program = {
      inputs: [input],
      commands: [{ TransferObjects: { objects: [{ Input: 0 }], address: { Input: 0 } } }],
    };
    const transaction = await signRaw({ program, user, reservation });
    const { status } = await executeTx(shop, reservation, transaction);
    expect(status).toBe(400);
    expect(requests.filter(({ sender }) => sender === user.toIotaAddress())).toEqual([]);
  });
});
