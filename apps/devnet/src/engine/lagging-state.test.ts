import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { signedTransfer } from '../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const EXECUTE = 'iota_executeTransactionBlock';
const FAR = { lagMs: 60_000 };

describe('a node that lags behind the validators', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterEach(() => devnet.control('DELETE', '/node'));
  afterAll(() => devnet.stop());

  const lag = (body: object) => devnet.control('POST', '/node', body);
  const execute = (params: readonly unknown[], requestType = 'WaitForEffectsCert') =>
    devnet.rpc(EXECUTE, [...params, { showEffects: true }, requestType]);

  it('answers a submission with effects at once and shows it later', async () => {
    const { digest, coin, params } = await signedTransfer(devnet);
    await lag(FAR);
    expect(await execute(params)).toMatchObject({
      result: {
        digest,
        confirmedLocalExecution: false,
        effects: { status: { status: 'success' } },
      },
    });
    expect((await devnet.client.getObject({ id: coin.objectId })).data).toMatchObject(coin);
    await expect(devnet.client.getTransactionBlock({ digest })).rejects.toThrow('not find');
    await devnet.control('DELETE', '/node');
    expect((await devnet.client.getTransactionBlock({ digest })).digest).toBe(digest);
  });

  it('lets a transaction use the references of effects that it does not show', async () => {
    const { sender, params } = await signedTransfer(devnet);
    await lag(FAR);
    const { result } = await execute(params);
    const { reference } = (result as { effects: { gasObject: { reference: never } } }).effects
      .gasObject;
    const next = new Transaction();
    next.setSender(sender.toIotaAddress());
    next.setGasPayment([reference]);
    next.setGasPrice(1000);
    next.setGasBudget(5_000_000);
    next.transferObjects([next.splitCoins(next.gas, [1])[0]], new Ed25519Keypair().toIotaAddress());
    const bytes = await next.build();
    const { signature } = await sender.signTransaction(bytes);
    const signed = [Buffer.from(bytes).toString('base64'), [signature]];
    expect(await execute(signed)).toMatchObject({
      result: { effects: { status: { status: 'success' } } },
    });
    // The dry run knows neither the reference nor the coin.
    const dryRun = await devnet.rpc('iota_dryRunTransactionBlock', [signed[0]]);
    expect(dryRun.error?.message).toContain(reference['objectId']);
  });

  it('gets the current version of an object from the validators', async () => {
    const { sender, coin, params } = await signedTransfer(devnet);
    const stale = await signedTransfer(devnet, sender, 2);
    await lag(FAR);
    await execute(params);
    const { error } = await execute(stale.params);
    expect(error).toMatchObject({ code: -32002 });
    expect(error?.message).toMatch(new RegExp(`${coin.objectId}.* current version`, 's'));
  });

  it('waits for WaitForLocalExecution until it shows the transaction', async () => {
    const { digest, params } = await signedTransfer(devnet);
    await lag({ lagMs: 300 });
    const start = performance.now();
    expect(await execute(params, 'WaitForLocalExecution')).toMatchObject({
      result: { digest, confirmedLocalExecution: true },
    });
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    expect((await devnet.client.getTransactionBlock({ digest })).digest).toBe(digest);
  });

  it('delays the faucet until it shows the coins', async () => {
    await lag({ lagMs: '100-200' });
    const key = await devnet.fundedKey();
    const coins = await devnet.client.getCoins({ owner: key.toIotaAddress() });
    expect(coins.data).toHaveLength(5);
  });

  it('answers POST /until-shown when it shows every change', async () => {
    const { digest, params } = await signedTransfer(devnet);
    await lag({ lagMs: 300 });
    await execute(params);
    const answer = await devnet.control('POST', '/until-shown');
    expect(answer).toEqual({ transactions: devnet.engine.transactionCount });
    expect((await devnet.client.getTransactionBlock({ digest })).digest).toBe(digest);
  });

  it('advances its newest checkpoint without transactions, which shows the lag', async () => {
    await lag({ lagMs: 700 });
    const newest = async () => {
      const [checkpoint] = (await devnet.client.getCheckpoints({ descendingOrder: true, limit: 1 }))
        .data;
      return checkpoint!;
    };
    // Checkpoints from before the lag are shown at once; later ones are as old as the lag.
    const before = await newest();
    let later = before;
    while (later.sequenceNumber === before.sequenceNumber) later = await newest();
    expect(Date.now() - Number(later.timestampMs)).toBeGreaterThanOrEqual(700);
    expect(Number(later.timestampMs)).toBeGreaterThan(Number(before.timestampMs));
    expect(later.transactions).toEqual([]);
  });

  it('takes lag and empty checkpoints from DEVNET_LAG_MS and DEVNET_CHECKPOINT_MS', async () => {
    const own = await startTestDevnet({ DEVNET_LAG_MS: '100-300', DEVNET_CHECKPOINT_MS: '50' });
    try {
      expect(await own.control('GET', '/node')).toMatchObject({
        lagMs: { minMs: 100, maxMs: 300 },
      });
      let newestCheckpoint = 0;
      while (newestCheckpoint < 3)
        newestCheckpoint = Number(await own.client.getLatestCheckpointSequenceNumber());
      expect(own.engine.latestCheckpoint.transactions).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
