import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { COIN, net, TestChain } from './test-chain.test-support.js';

const COIN_STORAGE = 980_400n;

function call(chain: TestChain, tx: Transaction, name: string, ...numbers: bigint[]): void {
  tx.moveCall({
    target: `${chain.engine.demo.packageId}::garage::${name}`,
    arguments: numbers.map((each) => tx.pure.u64(each)),
  });
}

describe('gas', () => {
  it('merges all payment coins into the first and deletes the others', async () => {
    const chain = new TestChain();
    const alice = await chain.account(30_000_000n, 40_000_000n, 50_000_000n);
    const executed = await chain.run(alice, () => undefined, {
      gas: alice.coins,
      budget: 100_000_000n,
    });
    const [first, ...others] = alice.coins;
    const { effects } = executed;
    expect(effects.gasObject.reference.objectId).toBe(first!.objectId);
    expect(effects.deleted.map(({ objectId }) => objectId).sort()).toEqual(
      others.map(({ objectId }) => objectId).sort(),
    );
    expect(effects.gasUsed.storageCost).toBe(COIN_STORAGE);
    expect(effects.gasUsed.storageRebate).toBe(3n * COIN_STORAGE);
    expect(chain.object(first!.objectId).coin?.balance).toBe(120_000_000n - net(executed));
    expect(chain.engine.getObject(others[0]!.objectId)).toEqual({
      kind: 'deleted',
      reference: effects.deleted.find(({ objectId }) => objectId === others[0]!.objectId),
    });
  });

  it('is charged when the transaction fails, without other effects', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const [gas, other] = alice.coins;
    const executed = await chain.run(alice, (tx) => {
      tx.transferObjects([tx.splitCoins(tx.gas, [5n])[0]], `0x${'b'.repeat(64)}`);
      tx.mergeCoins(tx.gas, [chain.input(tx, other!)]);
      call(chain, tx, 'fail', 42n);
    });
    const { effects, events, balanceChanges } = executed;
    const module = 'name: Identifier("garage")';
    expect(effects.status).toEqual({
      status: 'failure',
      error:
        `MoveAbort(MoveLocation { module: ModuleId { address: ${chain.engine.demo.packageId.slice(2)}, ${module} }, ` +
        'function: 8, instruction: 0, function_name: Some("fail") }, 42) in command 3',
    });
    expect(events).toEqual([]);
    expect(effects.created).toEqual([]);
    expect(effects.deleted).toEqual([]);
    expect(effects.mutated.map(({ reference }) => reference.version)).toEqual([
      effects.lamportVersion,
      effects.lamportVersion,
    ]);
    expect(effects.gasUsed.computationCost).toBe(1_000_000n);
    expect(effects.gasUsed.storageCost).toBe(effects.gasUsed.storageRebate);
    expect(chain.object(gas!.objectId).coin?.balance).toBe(COIN - 1_000_000n);
    expect(chain.object(other!.objectId).coin?.balance).toBe(COIN);
    expect(balanceChanges.map(({ amount }) => amount)).toEqual([-1_000_000n]);
  });

  it('takes the whole budget when computation exceeds it', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, (tx) => call(chain, tx, 'burn', 10_000n), {
      budget: 5_000_000n,
    });
    expect(executed.effects.status).toEqual({
      status: 'failure',
      error: 'InsufficientGas in command 0',
    });
    expect(net(executed)).toBe(5_000_000n);
    expect(chain.object(alice.coins[0]!.objectId).coin?.balance).toBe(COIN - 5_000_000n);
  });

  it('takes the whole budget, and no more, when a failure cannot pay for the storage of its inputs', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const { counterId } = chain.engine.demo;
    const executed = await chain.run(
      alice,
      (tx) => {
        const counter = tx.sharedObjectRef({
          objectId: counterId,
          initialSharedVersion: 1,
          mutable: true,
        });
        const target = `${chain.engine.demo.packageId}::garage::count`;
        tx.moveCall({ target, arguments: [counter] });
        call(chain, tx, 'fail', 42n);
      },
      { budget: 1_000_000n },
    );
    expect(executed.effects.status).toMatchObject({ status: 'failure' });
    expect(executed.effects.gasUsed).toMatchObject({
      computationCost: 1_000_000n,
      storageCost: 0n,
      storageRebate: 0n,
    });
    expect(net(executed)).toBe(1_000_000n);
  });

  it('takes the computation when the storage of new objects exceeds the budget', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(
      alice,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [5n])[0]], alice.address),
      { budget: 1_980_399n },
    );
    expect(executed.effects.status).toEqual({ status: 'failure', error: 'InsufficientGas' });
    expect(net(executed)).toBe(1_000_000n);
  });

  it('suffices when the budget equals the cost', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(
      alice,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [5n])[0]], alice.address),
      { budget: 1_980_400n },
    );
    expect(executed.effects.status).toEqual({ status: 'success' });
    expect(net(executed)).toBe(1_980_400n);
  });

  it('rounds computation up to the next thousand units, at the offered price', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(alice, (tx) => call(chain, tx, 'burn', 2_000n), {
      price: 1500n,
    });
    expect(executed.effects.gasUsed.computationCost).toBe(3000n * 1500n);
  });

  it('refunds the storage deposit when objects are deleted', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, 1n, 1n);
    const [, one, two] = alice.coins;
    const executed = await chain.run(alice, (tx) => {
      tx.mergeCoins(tx.gas, [chain.input(tx, one!), chain.input(tx, two!)]);
    });
    expect(net(executed)).toBe(1_000_000n - 2n * COIN_STORAGE);
    expect(chain.balance(alice.address)).toBe(COIN + 2n - net(executed));
  });

  it('prevents commands from spending the budget', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const executed = await chain.run(
      alice,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [COIN - 49_999_999n])[0]], alice.address),
      { budget: 50_000_000n },
    );
    expect(executed.effects.status).toEqual({
      status: 'failure',
      error: 'InsufficientCoinBalance in command 0',
    });
  });

  it('is refunded to a gas coin that is transferred', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const bob = `0x${'b'.repeat(64)}`;
    const executed = await chain.run(alice, (tx) => tx.transferObjects([tx.gas], bob));
    expect(executed.effects.gasObject.owner).toEqual({ AddressOwner: bob });
    expect(chain.balance(bob)).toBe(COIN - net(executed));
    expect(chain.balance(alice.address)).toBe(0n);
  });
});
