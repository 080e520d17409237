import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { blake2b } from '@noble/hashes/blake2.js';
import { renderEffects } from './describe-effects.js';
import { COIN, IOTA_TYPE, net, TestChain } from './test-chain.test-support.js';

const GAS_OBJECT_STORAGE = 980_400n;

describe('transfer', () => {
  it('splits the gas coin, transfers the new coin and charges the exact gas', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const bob = `0x${'b'.repeat(64)}`;
    const gas = alice.coins[0]!;

    const executed = await chain.run(alice, (tx) => {
      tx.transferObjects([tx.splitCoins(tx.gas, [1234n])[0]], bob);
    });

    expect(executed.effects.status).toEqual({ status: 'success' });
    expect(executed.effects.gasUsed).toEqual({
      computationCost: 1_000_000n,
      computationCostBurned: 1_000_000n,
      storageCost: 2n * GAS_OBJECT_STORAGE,
      storageRebate: GAS_OBJECT_STORAGE,
      nonRefundableStorageFee: 0n,
    });
    expect(chain.balance(bob)).toBe(1234n);
    expect(chain.object(gas.objectId).coin?.balance).toBe(COIN - 1234n - net(executed));
  });

  it('assigns the version after the highest input to all written objects', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const [gas, other] = alice.coins;
    // `other` changes once before, so that the two versions differ.
    for (let round = 0; round < 3; round++) {
      await chain.run(alice, () => undefined, { gas: [other!] });
    }
    const before = chain.object(other!.objectId).version;
    expect(chain.object(gas!.objectId).version).toBeLessThan(before);

    const { effects } = await chain.run(alice, (tx) => {
      tx.transferObjects([chain.input(tx, other!)], alice.address);
    });

    expect(effects.lamportVersion).toBe(before + 1);
    expect(effects.mutated.map(({ reference }) => reference.version)).toEqual([
      before + 1,
      before + 1,
    ]);
  });

  it('derives digests and ids by the ledger’s rules', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, (tx) => {
      const [one, two] = tx.splitCoins(tx.gas, [1n, 2n]);
      tx.transferObjects([one, two], alice.address);
    });

    expect(executed.digest).toBe(TransactionDataBuilder.getDigestFromBytes(executed.bytes));
    const expected = [0n, 1n].map((index) => {
      const digest = bcs.ObjectDigest.serialize(executed.digest).toBytes().subarray(1);
      const preimage = Buffer.concat([Buffer.of(0xf1), digest, bcs.U64.serialize(index).toBytes()]);
      return `0x${Buffer.from(blake2b(preimage, { dkLen: 32 })).toString('hex')}`;
    });
    expect(executed.effects.created.map(({ reference }) => reference.objectId).sort()).toEqual(
      expected.sort(),
    );
  });

  it('keeps balances above 2^53 exact', async () => {
    const huge = 9_223_372_036_854_775_807n;
    const chain = new TestChain({ faucetBalance: 40_000_000_000_000_000_001n });
    const alice = await chain.account(COIN, huge);
    const bob = `0x${'b'.repeat(64)}`;
    await chain.run(alice, (tx) => {
      const coin = chain.input(tx, alice.coins[1]!);
      tx.transferObjects([tx.splitCoins(coin, [huge - 1n])[0]], bob);
    });
    expect(chain.balance(bob)).toBe(huge - 1n);
    expect(chain.object(alice.coins[1]!.objectId).coin?.balance).toBe(1n);
    expect(chain.object(alice.coins[1]!.objectId).fields).toMatchObject({ balance: '1' });
  });

  it('burns the computation cost and nothing else', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const before = chain.engine.getTotalSupply(IOTA_TYPE);
    await chain.run(alice, () => undefined);
    expect(chain.engine.getTotalSupply(IOTA_TYPE)).toBe(before - 1_000_000n);
  });
});

describe('effects as JSON', () => {
  it('show totals as strings, versions as numbers, and no empty lists', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, () => undefined);
    const gas = chain.object(alice.coins[0]!.objectId);
    const reference = { objectId: gas.objectId, version: gas.version, digest: gas.digest };
    const owned = { owner: { AddressOwner: alice.address }, reference };
    expect(renderEffects(executed.effects)).toEqual({
      messageVersion: 'v1',
      status: { status: 'success' },
      executedEpoch: '0',
      gasUsed: {
        computationCost: '1000000',
        computationCostBurned: '1000000',
        storageCost: '980400',
        storageRebate: '980400',
        nonRefundableStorageFee: '0',
      },
      modifiedAtVersions: [
        { objectId: gas.objectId, sequenceNumber: String(alice.coins[0]!.version) },
      ],
      transactionDigest: executed.digest,
      mutated: [owned],
      gasObject: owned,
      dependencies: [alice.coins[0]!.previousTransaction],
    });
  });
});
