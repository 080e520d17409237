import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { startTestDevnet, type TestDevnet } from '../../testing/start-test-devnet.test-support.js';
import { buildCar, SHOW_ALL, sponsored } from './sponsored.test-support.js';

describe('sponsored transactions through the SDK', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterAll(() => devnet.stop());

  it('execute a Move call and charge the sponsor only', async () => {
    const { client } = devnet;
    const sponsor = await devnet.fundedKey();
    const user = new Ed25519Keypair();
    const before = await client.getBalance({ owner: sponsor.toIotaAddress() });
    const signed = await sponsored(devnet, user, sponsor, buildCar(devnet, user.toIotaAddress()));
    const done = await client.executeTransactionBlock({ ...signed, options: SHOW_ALL });

    expect(done.effects?.status).toEqual({ status: 'success' });
    expect(done.events).toMatchObject([
      { type: expect.stringContaining('::garage::CarBuilt'), sender: user.toIotaAddress() },
    ]);
    const { computationCost, storageCost, storageRebate } = done.effects!.gasUsed;
    const paid = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
    const after = await client.getBalance({ owner: sponsor.toIotaAddress() });
    expect(BigInt(before.totalBalance) - BigInt(after.totalBalance)).toBe(paid);
    const owned = await client.getOwnedObjects({
      owner: user.toIotaAddress(),
      filter: { StructType: `${devnet.engine.demo.packageId}::garage::Car` },
      options: { showContent: true, showType: true },
    });
    expect(owned.data).toMatchObject([
      { data: { content: { dataType: 'moveObject', fields: { model: 'Kadett' } } } },
    ]);
  });

  it('resolve owned and shared inputs of a call', async () => {
    const { client } = devnet;
    const sponsor = await devnet.fundedKey();
    const user = new Ed25519Keypair();
    const built = await client.executeTransactionBlock({
      ...(await sponsored(devnet, user, sponsor, buildCar(devnet, user.toIotaAddress()))),
      options: { showEffects: true },
    });
    const car = built.effects?.created?.[0]?.reference.objectId ?? '';
    const { packageId, counterId } = devnet.engine.demo;
    const tx = new Transaction();
    tx.moveCall({
      target: `${packageId}::garage::drive`,
      arguments: [tx.object(car), tx.pure.u64(7)],
    });
    tx.moveCall({ target: `${packageId}::garage::count`, arguments: [tx.object(counterId)] });
    const done = await client.executeTransactionBlock({
      ...(await sponsored(devnet, user, sponsor, tx)),
      options: { showEffects: true, showEvents: true, showInput: true },
    });
    expect(done.effects?.status).toEqual({ status: 'success' });
    expect(done.events?.map(({ type }) => type.split('::')[2])).toEqual(['CarDriven', 'Counted']);
    const page = await client.queryEvents({
      query: { Transaction: done.digest },
      limit: 1,
      order: 'descending',
    });
    expect(page).toMatchObject({
      data: [{ parsedJson: { value: expect.any(String) } }],
      hasNextPage: true,
    });
    const rest = await client.queryEvents({
      query: { Transaction: done.digest },
      cursor: page.nextCursor ?? null,
      order: 'descending',
    });
    expect(rest).toMatchObject({ data: [{ parsedJson: { distance: '7' } }], hasNextPage: false });
  });

  it('are charged gas when they abort', async () => {
    const { client } = devnet;
    const sponsor = await devnet.fundedKey();
    const tx = new Transaction();
    tx.moveCall({
      target: `${devnet.engine.demo.packageId}::garage::fail`,
      arguments: [tx.pure.u64(42)],
    });
    tx.setGasBudget(10_000_000);
    const done = await client.executeTransactionBlock({
      ...(await sponsored(devnet, new Ed25519Keypair(), sponsor, tx)),
      options: SHOW_ALL,
    });
    expect(done.effects?.status).toMatchObject({
      status: 'failure',
      error: expect.stringContaining('MoveAbort'),
    });
    expect(BigInt(done.effects!.gasUsed.computationCost)).toBeGreaterThanOrEqual(1_000_000n);
  });

  it('are found by filter, page by page', async () => {
    const { client } = devnet;
    const sponsor = await devnet.fundedKey();
    const user = new Ed25519Keypair();
    const digests: string[] = [];
    for (let i = 0; i < 3; i++) {
      const signed = await sponsored(devnet, user, sponsor, buildCar(devnet, user.toIotaAddress()));
      digests.push((await client.executeTransactionBlock(signed)).digest);
    }
    const filter = { FromAddress: user.toIotaAddress() };
    const first = await client.queryTransactionBlocks({ filter, limit: 2 });
    expect(first.data.map(({ digest }) => digest)).toEqual(digests.slice(0, 2));
    expect(first.hasNextPage).toBe(true);
    const second = await client.queryTransactionBlocks({
      filter,
      cursor: first.nextCursor ?? null,
      limit: 2,
    });
    expect(second.data.map(({ digest }) => digest)).toEqual(digests.slice(2));
    const newest = await client.queryTransactionBlocks({ filter, order: 'descending', limit: 1 });
    expect(newest.data[0]?.digest).toBe(digests[2]);
    const called = await client.queryTransactionBlocks({
      filter: { MoveFunction: { package: devnet.engine.demo.packageId, module: 'garage' } },
      order: 'descending',
      limit: 1,
    });
    expect(called.data[0]?.digest).toBe(digests[2]);
  });
});
