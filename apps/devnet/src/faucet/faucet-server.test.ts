import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getFaucetRequestStatus,
  requestIotaFromFaucet,
  requestIotaFromFaucetV0,
  requestIotaFromFaucetV1,
} from '@iota/iota-sdk/faucet';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const newAddress = () => new Ed25519Keypair().toIotaAddress();

describe('faucet server', () => {
  let devnet: TestDevnet;
  let host: string;
  beforeAll(async () => {
    devnet = await startTestDevnet({}, { faucetAmount: 777n });
    host = devnet.urls.faucet ?? '';
  });
  afterAll(() => devnet.stop());

  it('returns coins immediately (V0)', async () => {
    const recipient = newAddress();
    const { transferredGasObjects } = await requestIotaFromFaucetV0({ host, recipient });
    const coins = await devnet.client.getCoins({ owner: recipient });
    expect(transferredGasObjects.map(({ amount }) => amount)).toEqual([777, 777, 777, 777, 777]);
    expect(transferredGasObjects.map(({ id }) => id).sort()).toEqual(
      coins.data.map(({ coinObjectId }) => coinObjectId).sort(),
    );
    const transaction = await devnet.client.getTransactionBlock({
      digest: transferredGasObjects[0]?.transferTxDigest ?? '',
    });
    expect(transaction.checkpoint).toBeDefined();
  });

  it('returns a task whose status lists the coins (V1)', async () => {
    const recipient = newAddress();
    const { task } = await requestIotaFromFaucetV1({ host, recipient });
    const { status } = await getFaucetRequestStatus({ host, taskId: task ?? '' });
    expect(status.status).toBe('SUCCEEDED');
    expect(status.transferred_gas_objects.sent).toHaveLength(5);
    expect(await devnet.client.getBalance({ owner: recipient })).toMatchObject({
      totalBalance: '3885',
    });
  });

  it("works with the SDK's helper", async () => {
    expect(await requestIotaFromFaucet({ host, recipient: newAddress() })).toBe(3885);
  });

  it('refuses invalid addresses and unknown tasks', async () => {
    await expect(requestIotaFromFaucetV0({ host, recipient: 'bob' })).rejects.toThrow(
      'Invalid request',
    );
    await expect(requestIotaFromFaucetV1({ host, recipient: '' })).rejects.toThrow(
      'Invalid request',
    );
    await expect(getFaucetRequestStatus({ host, taskId: 'x' })).rejects.toThrow('not found');
  });

  it('reports an insufficient balance', async () => {
    const poor = await startTestDevnet({}, { faucetAmount: BigInt(Number.MAX_SAFE_INTEGER) });
    const request = () =>
      requestIotaFromFaucetV0({ host: poor.urls.faucet ?? '', recipient: newAddress() });
    const exhaust = async (): Promise<unknown> => request().then(exhaust);
    await expect(exhaust()).rejects.toThrow('is less than the required');
    await poor.stop();
  });

  it('responds to the health check', async () => {
    expect(await (await fetch(host)).text()).toBe('OK');
  });
});
