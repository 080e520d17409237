import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { SerialTransactionExecutor, Transaction } from '@iota/iota-sdk/transactions';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { startTestDevnet, type TestDevnet } from '../../testing/start-test-devnet.test-support.js';
import { buildCar, SHOW_ALL, sponsored } from './sponsored.test-support.js';

describe('transactions that the SDK submits', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it('are built, dry-run, executed and shown: a transfer', async () => {
    const { client } = devnet;
    const sender = await devnet.fundedKey();
    const recipient = new Ed25519Keypair().toIotaAddress();
    const tx = new Transaction();
    const [coin] = tx.splitCoins(tx.gas, [1_234_567]);
    tx.transferObjects([coin], recipient);
    tx.setSender(sender.toIotaAddress());
    const bytes = await tx.build({ client });

    const dry = await client.dryRunTransactionBlock({ transactionBlock: bytes });
    expect(dry.effects.status.status).toBe('success');
    const { signature } = await sender.signTransaction(bytes);
    const done = await client.executeTransactionBlock({
      transactionBlock: bytes,
      signature,
      options: SHOW_ALL,
    });

    expect(done.digest).toBe(await tx.getDigest());
    expect(done.effects).toMatchObject({
      status: { status: 'success' },
      gasUsed: dry.effects.gasUsed,
      transactionDigest: done.digest,
    });
    expect(typeof done.effects?.gasObject.reference.version).toBe('number');
    expect(done.transaction).toMatchObject({
      txSignatures: [signature],
      data: {
        messageVersion: 'v1',
        sender: sender.toIotaAddress(),
        transaction: {
          kind: 'ProgrammableTransaction',
          inputs: [
            { type: 'pure', valueType: 'u64', value: '1234567' },
            { type: 'pure', valueType: 'address', value: recipient },
          ],
          transactions: [
            { SplitCoins: ['GasCoin', [{ Input: 0 }]] },
            { TransferObjects: [[expect.anything()], { Input: 1 }] },
          ],
        },
      },
    });
    const [signed] = bcs.SenderSignedData.parse(fromBase64(done.rawTransaction ?? ''));
    expect(signed?.txSignatures).toEqual([signature]);
    const raw = bcs.TransactionEffects.parse(Uint8Array.from(done.rawEffects ?? []));
    expect(raw.V1?.transactionDigest).toBe(done.digest);
    expect(raw.V1?.changedObjects.length).toBe(
      (done.effects?.mutated?.length ?? 0) +
        (done.effects?.created?.length ?? 0) +
        (done.effects?.deleted?.length ?? 0),
    );
    expect(done.balanceChanges).toContainEqual({
      owner: { AddressOwner: recipient },
      coinType: '0x2::iota::IOTA',
      amount: '1234567',
    });
    expect(done.objectChanges).toContainEqual(
      expect.objectContaining({ type: 'created', owner: { AddressOwner: recipient } }),
    );
    expect(await client.getBalance({ owner: recipient })).toMatchObject({
      totalBalance: '1234567',
    });

    const read = await client.waitForTransaction({ digest: done.digest, options: SHOW_ALL });
    expect(read).toMatchObject({ effects: done.effects, checkpoint: expect.any(String) });
    const [checkpointed] = await client.multiGetTransactionBlocks({ digests: [done.digest] });
    expect(checkpointed?.checkpoint).toBe(read.checkpoint);
    const checkpoint = await client.getCheckpoint({ id: read.checkpoint ?? '' });
    expect(checkpoint.transactions).toContain(done.digest);
  });

  it("are refused with a node's own messages", async () => {
    const { client } = devnet;
    const sponsor = await devnet.fundedKey();
    const user = new Ed25519Keypair();
    const { transactionBlock, signature } = await sponsored(
      devnet,
      user,
      sponsor,
      buildCar(devnet, user.toIotaAddress()),
    );
    const execute = (signatures: string[], bytes = transactionBlock) =>
      client.executeTransactionBlock({ transactionBlock: bytes, signature: signatures });

    await expect(execute([signature[0]!])).rejects.toMatchObject({
      code: -32002,
      message: expect.stringMatching(/signature/i),
    });
    const stranger = await new Ed25519Keypair().signTransaction(transactionBlock);
    await expect(execute([signature[0]!, stranger.signature])).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining('Required Signature from'),
    });
    await expect(execute(signature, Uint8Array.of(1, 2, 3))).rejects.toMatchObject({
      code: -32602,
    });

    await execute(signature);
    const again = await execute(signature);
    expect(again.digest).toBe(await Transaction.from(transactionBlock).getDigest());

    const { V1: data } = bcs.TransactionData.parse(transactionBlock);
    const stale = buildCar(devnet, user.toIotaAddress());
    stale.setGasPayment(data.gasData.payment);
    stale.setGasBudget(20_000_000);
    const late = await sponsored(devnet, user, sponsor, stale);
    await expect(client.executeTransactionBlock(late)).rejects.toMatchObject({
      code: -32002,
      message: expect.stringMatching(
        /Transaction execution failed .* is not available for consumption, its current version: SequenceNumber\(\d+\)\./,
      ),
    });
  });

  it("work with the SDK's executors, which track versions through raw effects", async () => {
    const signer = await devnet.fundedKey();
    const executor = new SerialTransactionExecutor({ client: devnet.client, signer });
    const car = (await executor.executeTransaction(buildCar(devnet, signer.toIotaAddress()), {
      showObjectChanges: true,
    })) as { data: { objectChanges: { objectType: string; objectId: string }[] } };
    const { objectId } = car.data.objectChanges.find(({ objectType }) =>
      objectType.endsWith('::garage::Car'),
    )!;
    const run = async () => {
      const tx = new Transaction();
      tx.moveCall({
        target: `${devnet.engine.demo.packageId}::garage::drive`,
        arguments: [tx.object(objectId), tx.pure.u64(1)],
      });
      return executor.executeTransaction(tx);
    };
    await Promise.all([run(), run(), run()]);
    const { data } = await devnet.client.getObject({
      id: objectId,
      options: { showContent: true },
    });
    expect(data?.content).toMatchObject({ fields: { mileage: '3' } });
  });
});
