import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

describe('coins', () => {
  let devnet: TestDevnet;
  const owner = new Ed25519Keypair().toIotaAddress();
  beforeAll(async () => {
    devnet = await startTestDevnet();
    await devnet.control('POST', '/mint', { owner, amount: '9007199254740993', count: 120 });
  });
  afterAll(() => devnet.stop());

  it('are listed page by page, each once, with exact balances', async () => {
    const ids = new Set<string>();
    let cursor: string | null = null;
    const sizes: number[] = [];
    for (;;) {
      const page = await devnet.client.getCoins({ owner, cursor });
      sizes.push(page.data.length);
      for (const coin of page.data) {
        expect(coin).toMatchObject({
          balance: '9007199254740993',
          coinType: '0x2::iota::IOTA',
          version: expect.stringMatching(/^\d+$/),
        });
        ids.add(coin.coinObjectId);
      }
      cursor = page.nextCursor ?? null;
      if (!page.hasNextPage) break;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(ids.size).toBe(120);
    expect(await devnet.client.getBalance({ owner })).toMatchObject({
      coinObjectCount: 120,
      totalBalance: String(9007199254740993n * 120n),
    });
  });

  it('can be read as objects, fifty at a time', async () => {
    const { data } = await devnet.client.getAllCoins({ owner, limit: 50 });
    const ids = data.map(({ coinObjectId }) => coinObjectId);
    const objects = await devnet.client.multiGetObjects({
      ids,
      options: { showOwner: true, showType: true, showBcs: true, showPreviousTransaction: true },
    });
    expect(objects.map((object) => object.data?.objectId)).toEqual(ids);
    expect(objects[0]?.data).toMatchObject({
      owner: { AddressOwner: owner },
      type: '0x2::coin::Coin<0x2::iota::IOTA>',
      bcs: { dataType: 'moveObject', bcsBytes: expect.any(String) },
    });
    const tooMany = [...ids, devnet.engine.demo.counterId];
    await expect(devnet.client.multiGetObjects({ ids: tooMany })).rejects.toMatchObject({
      code: -32602,
    });
    const unknown = `0x${'9'.repeat(64)}`;
    expect(await devnet.client.getObject({ id: unknown })).toEqual({
      error: { code: 'notExists', object_id: unknown },
    });
  });

  it('have a balance of 0 where the owner has none of a type', async () => {
    expect(await devnet.client.getBalance({ owner, coinType: '0x1::none::NONE' })).toMatchObject({
      totalBalance: '0',
    });
  });
});
