import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { countersOf, signedTransfer } from '../testing/signed-transfer.test-support.js';

const EXECUTE = 'iota_executeTransactionBlock';

describe('control interface', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it('locks an object for an unknown transaction until the epoch ends', async () => {
    const { submit, coin } = await signedTransfer(devnet);
    const digest = '11111111111111111111111111111111';
    await devnet.control('POST', '/locks', { objectId: coin.objectId, digest });
    await expect(submit()).rejects.toMatchObject({
      code: -32002,
      message: expect.stringMatching(/equivocated until the next epoch.*\n- 1{32}/s),
    });
    await devnet.control('POST', '/epoch');
    expect((await submit()).digest).toBeDefined();
  });

  it('changes the epoch and the gas price', async () => {
    const before = (await devnet.client.getLatestIotaSystemState()).epoch;
    expect(await devnet.control('POST', '/epoch')).toEqual({ epoch: String(Number(before) + 1) });
    expect((await devnet.client.getLatestIotaSystemState()).epoch).toBe(String(Number(before) + 1));

    const { submit } = await signedTransfer(devnet);
    await devnet.control('POST', '/gas-price', { price: 1200 });
    expect(await devnet.client.getReferenceGasPrice()).toBe(1200n);
    await expect(submit()).rejects.toThrow('Gas price 1000 under reference gas price (RGP) 1200');
    await devnet.control('POST', '/gas-price', { price: '1000' });
    expect((await submit()).digest).toBeDefined();
  });

  it('counts requests, executions and submissions by digest', async () => {
    const { digest, submit } = await signedTransfer(devnet);
    await devnet.control('DELETE', '/counters');
    await submit();
    await submit();
    await devnet.client.getChainIdentifier();
    expect(await countersOf(devnet)).toEqual({
      requests: { [EXECUTE]: 2, iota_getChainIdentifier: 1 },
      executed: 1,
      submissions: { [digest]: 2 },
    });
  });

  it('mints coins and describes the ledger', async () => {
    const owner = new Ed25519Keypair().toIotaAddress();
    const minted = await devnet.control('POST', '/mint', { owner, amount: '5', count: 2 });
    expect(minted).toMatchObject({ coins: [{ version: expect.any(Number) }, {}] });
    expect(await devnet.client.getBalance({ owner })).toMatchObject({ totalBalance: '10' });
    expect(await devnet.control('GET', '/')).toMatchObject({
      chainIdentifier: devnet.chainIdentifier,
      demo: devnet.engine.demo,
    });
  });

  it('reports an insufficient faucet balance', async () => {
    const owner = new Ed25519Keypair().toIotaAddress();
    const amount = '18446744073709551615';
    expect(await devnet.control('POST', '/mint', { owner, amount }, 409)).toEqual({
      error: expect.stringContaining('is less than the required'),
    });
  });

  it('refuses requests from web pages', async () => {
    const headers = { origin: 'http://example.test' };
    const response = await fetch(`${devnet.urls.control}/epoch`, { method: 'POST', headers });
    expect(response.status).toBe(403);
  });

  it('parses no JSON that is expensive for its length', async () => {
    const headers = { 'content-type': 'application/json' };
    const answers = await Promise.all(
      [
        [`${devnet.urls.control}/mint`, `{"owner":${'['.repeat(500_000)}`, /nested more than 512/],
        [`${devnet.urls.control}/faults`, `[${'{},'.repeat(200_000)}{}]`, /too many short arrays/],
        [`${devnet.urls.faucet}/v1/gas`, `[${'1,'.repeat(200_000)}1]`, /too many short values/],
      ].map(async ([url, body, error]) => {
        const response = await fetch(String(url), { method: 'POST', headers, body: String(body) });
        return [response.status, await response.json(), error] as const;
      }),
    );
    for (const [status, body, error] of answers) {
      expect([status, body]).toEqual([400, { error: expect.stringMatching(error as RegExp) }]);
    }
  });

  it('responds to an invalid request with 400 and the reason', async () => {
    for (const [path, body] of [
      ['/faults', { kind: 'fire' }],
      ['/gas-price', { price: 0 }],
      ['/mint', { owner: 'bob', amount: 1 }],
      ['/locks', { objectId: '0x1', digest: '?' }],
    ] as const) {
      const answer = await devnet.control('POST', path, body, 400);
      expect(answer).toEqual({ error: expect.stringContaining('"') });
    }
  });
});
