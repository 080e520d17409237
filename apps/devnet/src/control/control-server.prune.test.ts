import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const SHOW = { showObjectChanges: true, showEffects: true };

describe('a pruned node', () => {
  let devnet: TestDevnet;
  let key: Ed25519Keypair;
  let digests: string[];
  beforeAll(async () => {
    devnet = await startTestDevnet();
    key = await devnet.fundedKey();
    digests = [];
    for (let round = 0; round < 4; round++) digests.push(await scrapCar());
  });
  afterAll(() => devnet.stop());

  /** Builds and scraps a car, in two transactions; returns the digest of the second. */
  async function scrapCar(): Promise<string> {
    const { packageId } = devnet.engine.demo;
    const run = (fill: (tx: Transaction) => void) => {
      const transaction = new Transaction();
      fill(transaction);
      return devnet.client.signAndExecuteTransaction({ transaction, signer: key, options: SHOW });
    };
    const built = await run((tx) => {
      const owner = tx.pure.address(key.toIotaAddress());
      const target = `${packageId}::garage::build_car`;
      tx.moveCall({ target, arguments: [tx.pure.string('Kadett'), owner] });
    });
    const car = built.effects!.created![0]!.reference.objectId;
    const scrapped = await run((tx) => {
      tx.moveCall({ target: `${packageId}::garage::scrap`, arguments: [tx.object(car)] });
    });
    return scrapped.digest;
  }

  const changesOf = async (digest: string) =>
    (await devnet.client.getTransactionBlock({ digest, options: SHOW })).objectChanges;
  const checkpointOf = async (digest: string) =>
    Number((await devnet.client.getTransactionBlock({ digest })).checkpoint);

  it('shows deleted objects until it is pruned', async () => {
    expect(await changesOf(digests[3]!)).toContainEqual(
      expect.objectContaining({ type: 'deleted' }),
    );
  });

  it('starts later: older checkpoints, their transactions and events are not found', async () => {
    const below = await checkpointOf(digests[2]!);
    const answer = await devnet.control('POST', '/prune', { below });
    expect(answer).toEqual({ oldestCheckpoint: below });

    const { data } = await devnet.client.getCheckpoints({ descendingOrder: false, limit: 1 });
    expect(data[0]?.sequenceNumber).toBe(String(below));
    await expect(devnet.client.getCheckpoint({ id: String(below - 1) })).rejects.toMatchObject({
      code: -32600,
      message: `Verified checkpoint not found for sequence number: ${below - 1}`,
    });
    await expect(devnet.client.getCheckpoint({ id: '0' })).rejects.toMatchObject({ code: -32600 });
    await expect(changesOf(digests[0]!)).rejects.toThrow(
      'Could not find the referenced transaction',
    );
    const query = { MoveModule: { package: devnet.engine.demo.packageId, module: 'garage' } };
    const events = await devnet.client.queryEvents({ query });
    const builds = events.data.filter(({ type }) => type.endsWith('CarBuilt'));
    expect(builds).toHaveLength(1);
    const transactions = await devnet.client.queryTransactionBlocks({ limit: 1 });
    expect(transactions.data[0]?.digest).toBe(digests[2]);
  });

  it('keeps the chain identifier and the newest checkpoints, and continues', async () => {
    expect(await devnet.client.getChainIdentifier()).toBe(devnet.chainIdentifier);
    const newest = await scrapCar();
    expect(await changesOf(newest)).toContainEqual(expect.objectContaining({ type: 'deleted' }));
  });

  it('leaves deleted objects out of objectChanges', async () => {
    const changes = await changesOf(digests[3]!);
    expect(changes?.length).toBeGreaterThan(0);
    expect(changes?.filter(({ type }) => type === 'deleted')).toEqual([]);
  });

  it('never drops the newest checkpoint', async () => {
    const newest = devnet.engine.latestCheckpoint.sequenceNumber;
    const answer = await devnet.control('POST', '/prune', { below: newest + 1_000 });
    expect(answer).toEqual({ oldestCheckpoint: newest });
    expect((await devnet.client.getCheckpoint({ id: String(newest) })).transactions).toHaveLength(
      1,
    );
  });
});
