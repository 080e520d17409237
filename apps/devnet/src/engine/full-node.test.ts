import { describe, expect, it } from '@jest/globals';
import { COIN, IOTA_TYPE, TestChain } from './test-chain.test-support.js';
import type { FullNode } from './full-node.js';

const FAR = { minMs: 60_000, maxMs: 60_000 };

/** The results of all reads of these accounts. */
function readsOf(node: Omit<FullNode, 'changes'>, owners: readonly string[]) {
  return {
    count: node.transactionCount,
    checkpoint: node.latestCheckpoint.sequenceNumber,
    transactions: node.listTransactions({ limit: 10, descending: true }).map((one) => one.digest),
    checkpoints: node.listCheckpoints({ limit: 10, descending: true }).map((one) => one.digest),
    state: node.systemState(),
    owners: owners.map((owner) => ({
      objects: node.listOwnedObjects(owner, { limit: 100 }).data.map(({ reference }) => reference),
      coins: node.listCoins(owner, null, { limit: 100 }).data.map(({ reference }) => reference),
      balance: node.getBalance(owner, IOTA_TYPE),
    })),
  };
}

async function chainWithNode() {
  const chain = new TestChain();
  const [alice, bob] = [await chain.account(COIN, COIN, COIN), await chain.account(COIN)];
  const node = chain.engine.openFullNode();
  const owners = [alice.address, bob.address];
  const pay = () =>
    chain.run(alice, (tx) => {
      tx.mergeCoins(chain.input(tx, alice.coins[1]!), [chain.input(tx, alice.coins[2]!)]);
      tx.transferObjects([tx.splitCoins(tx.gas, [5])[0]], bob.address);
    });
  return { chain, node, alice, owners, pay };
}

describe('FullNode', () => {
  it('shows executed transactions only after its lag', async () => {
    const { chain, node, alice, owners, pay } = await chainWithNode();
    const before = readsOf(node, owners);
    node.setLag(FAR);
    const { digest, effects } = await pay();
    chain.engine.advanceEpoch();

    expect(readsOf(node, owners)).toEqual(before);
    expect(node.getTransaction(digest)).toBeNull();
    expect(node.getObject(alice.coins[2]!.objectId).kind).toBe('found');
    expect(node.getObject(effects.created[0]!.reference.objectId).kind).toBe('unknown');
    expect(node.getCheckpoint(chain.engine.latestCheckpoint.digest)).toBeNull();

    node.setLag(null);
    expect(readsOf(node, owners)).toEqual(readsOf(chain.engine.openFullNode(), owners));
    expect(node.getTransaction(digest)).not.toBeNull();
    expect(node.getObject(alice.coins[2]!.objectId).kind).toBe('deleted');
    expect(node.systemState().epoch).toBe(1n);
  });

  it('shows the same as the ledger after a lag', async () => {
    const { chain, node, owners, pay } = await chainWithNode();
    node.setLag(FAR);
    await pay();
    chain.engine.advanceEpoch();
    chain.engine.setReferenceGasPrice(1_100n);
    const last = await chain.run(await chain.account(COIN), () => undefined, { price: 1_100 });
    node.setLag({ minMs: 1, maxMs: 1 });
    expect(await node.untilShown(last.sequence, 10_000)).toBe(true);
    expect(readsOf(node, owners)).toEqual(readsOf(chain.engine.openFullNode(), owners));
  });

  it('runs dry runs on its own state', async () => {
    const { chain, node, alice, pay } = await chainWithNode();
    const gas = alice.coins.slice(0, 1);
    const build = () => chain.build(() => undefined, { sender: alice.address, gas });
    const old = await build();
    node.setLag(FAR);
    await pay();
    const recent = await build();
    expect(node.dryRun(old).effects.status.status).toBe('success');
    expect(chain.engine.dryRun(recent).effects.status.status).toBe('success');
    expect(() => node.dryRun(recent)).toThrow('Could not find the referenced object');
  });

  it('notifies its listeners of changes in order, each when it shows them', async () => {
    const { node, pay } = await chainWithNode();
    const told: string[] = [];
    node.changes.on('executed', ({ sequence }) => told.push(`executed ${sequence}`));
    node.changes.on('checkpoint', ({ sequenceNumber }) => told.push(`sealed ${sequenceNumber}`));
    node.setLag(FAR);
    await pay();
    expect(told).toEqual([]);
    node.setLag(null);
    expect(told).toEqual(['executed 3', 'sealed 3']);
  });

  it('reports that it does not show a transaction in time', async () => {
    const { node, pay } = await chainWithNode();
    node.setLag(FAR);
    const { sequence } = await pay();
    expect(await node.untilShown(sequence, 20)).toBe(false);
    node.setLag(null);
    expect(await node.untilShown(sequence, 20)).toBe(true);
  });

  it('keeps a checkpoint that it does not show yet', async () => {
    const { chain, node, pay } = await chainWithNode();
    const { sequenceNumber } = node.latestCheckpoint;
    node.setLag(FAR);
    await pay();
    node.prune(100);
    expect(chain.engine.oldestCheckpoint).toBe(sequenceNumber);
    expect(node.latestCheckpoint.sequenceNumber).toBe(sequenceNumber);
  });
});
