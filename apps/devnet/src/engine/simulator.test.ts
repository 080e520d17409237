import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { ObjectRecord } from './engine-interface.js';
import { COIN, TestChain } from './test-chain.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;
const sorted = (objects: readonly ObjectRecord[]) =>
  [...objects].sort((a, b) => (a.objectId < b.objectId ? -1 : 1));

describe('dry run', () => {
  it('returns what execution would return and stores nothing', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const fill = (tx: Parameters<Parameters<TestChain['build']>[0]>[0]) =>
      tx.transferObjects([tx.splitCoins(tx.gas, [9n])[0]], BOB);
    const bytes = await chain.build(fill, { sender: alice.address, gas: alice.coins });
    const dry = chain.engine.dryRun(bytes);
    expect([chain.balance(BOB), chain.engine.transactionCount]).toEqual([0n, 2]);
    expect(chain.engine.lockedBy(alice.coins[0]!.objectId)).toBeNull();
    const real = await chain.run(alice, fill);
    expect(dry.effects).toEqual(real.effects);
    expect(dry.balanceChanges).toEqual(real.balanceChanges);
  });

  it('reads owned objects in the named version, as long as the ledger keeps it', async () => {
    const chain = new TestChain({ keptTransactions: 3 });
    const alice = await chain.account(COIN, COIN);
    const [gas, coin] = alice.coins as [ObjectRecord, ObjectRecord];
    const build = (version: number) =>
      chain.build(
        (tx) => {
          const input = tx.objectRef({ ...coin.reference, version });
          tx.transferObjects([tx.splitCoins(input, [9n])[0]], BOB);
        },
        { sender: alice.address, gas: [gas] },
      );
    const old = await build(coin.version);
    const dry = chain.engine.dryRun(old);
    expect(dry.inputObjects).toEqual(sorted([gas, coin]));
    expect(dry.outputObjects).toHaveLength(3);
    await chain.run(alice, (tx) => tx.transferObjects([chain.input(tx, coin)], BOB));
    expect(chain.engine.dryRun(old).effects).toEqual(dry.effects);
    const never = await build(coin.version - 1);
    expect(() => chain.engine.dryRun(never)).toThrow(/is not available for consumption/);
    for (let round = 0; round < 3; round++) await chain.run(alice, () => undefined);
    expect(() => chain.engine.dryRun(old)).toThrow(/is not available for consumption/);
  });

  it('returns the cost without a gas coin', async () => {
    const chain = new TestChain();
    const poor = new Ed25519Keypair().toIotaAddress();
    const bytes = await chain.build(
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [9n])[0]], BOB),
      { sender: poor, gas: [], budget: 50_000_000_000n },
    );
    const { effects } = chain.engine.dryRun(bytes);
    expect(effects.status).toEqual({ status: 'success' });
    expect(effects.gasUsed.storageCost).toBe(2n * 980_400n);
  });
});
