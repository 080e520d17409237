import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import { startTestDevnet, type TestDevnet } from '../../testing/start-test-devnet.js';

describe('inspecting through the SDK', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it('inspects a view function without gas', async () => {
    const { packageId, counterId } = devnet.engine.demo;
    const tx = new Transaction();
    tx.moveCall({ target: `${packageId}::garage::count_value`, arguments: [tx.object(counterId)] });
    const { results, error } = await devnet.client.devInspectTransactionBlock({
      sender: `0x${'0'.repeat(64)}`,
      transactionBlock: tx,
    });
    expect(error).toBeUndefined();
    expect(results?.[0]?.returnValues?.[0]?.[1]).toBe('u64');
  });
});
