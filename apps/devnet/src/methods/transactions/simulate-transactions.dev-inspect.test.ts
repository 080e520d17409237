import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import { startTestDevnet, type TestDevnet } from '../../testing/start-test-devnet.test-support.js';

const SENDER = `0x${'7'.repeat(64)}`;

describe('dev inspection of a program', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  const inspect = (kind: string) =>
    devnet.rpc('iota_devInspectTransactionBlock', [SENDER, kind, null, null, null]);

  it('accepts an empty program: clients send one when they start', async () => {
    const { result } = await inspect('AAAA');
    expect(result).toMatchObject({
      effects: {
        status: { status: 'success' },
        gasUsed: { computationCost: '1000000', storageCost: '980400', storageRebate: '0' },
      },
      events: [],
      results: [],
    });
    expect(result).not.toHaveProperty('effects.dependencies');
  });

  it('runs for any sender and changes nothing', async () => {
    const tx = new Transaction();
    tx.transferObjects([tx.splitCoins(tx.gas, [5])[0]], SENDER);
    const found = await devnet.client.devInspectTransactionBlock({
      sender: SENDER,
      transactionBlock: tx,
    });
    expect(found.effects.status.status).toBe('success');
    expect(found.effects.created).toHaveLength(1);
    expect(await devnet.client.getCoins({ owner: SENDER })).toMatchObject({ data: [] });
  });

  it('returns the reason of a failure', async () => {
    const tx = new Transaction();
    tx.moveCall({ target: '0x2::clock::nope' });
    const found = await devnet.client.devInspectTransactionBlock({
      sender: SENDER,
      transactionBlock: tx,
    });
    expect(found).toMatchObject({
      error: expect.stringMatching(/^FunctionNotFound in command 0\. devnet executes no Move/),
      effects: { status: { status: 'failure', error: 'FunctionNotFound in command 0' } },
    });
  });

  it('refuses bytes that are not a program', async () => {
    expect((await inspect('BwcH')).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Deserialization error: /),
    });
  });
});
