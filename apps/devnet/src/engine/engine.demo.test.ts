import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { COIN, sign, TestChain } from './test-chain.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;
const { packageId } = new TestChain().engine.demo;
const garage = (name: string) => `${packageId}::garage::${name}`;

async function build(chain: TestChain, model = 'Coupé') {
  const alice = await chain.account(COIN);
  const executed = await chain.run(alice, (tx) => {
    const args = [tx.pure.string(model), tx.pure.address(alice.address)];
    tx.moveCall({ target: garage('build_car'), arguments: args });
  });
  return { alice, executed, car: chain.object(executed.effects.created[0]!.reference.objectId) };
}

const drive =
  (chain: TestChain, car: { objectId: string }, distance: bigint) => (tx: Transaction) => {
    const args = [chain.input(tx, car), tx.pure.u64(distance)];
    tx.moveCall({ target: garage('drive'), arguments: args });
  };

describe('demo package', () => {
  it('creates an object and emits an event', async () => {
    const chain = new TestChain();
    const { alice, executed, car } = await build(chain);
    expect(car).toMatchObject({
      type: garage('Car'),
      owner: { AddressOwner: alice.address },
      fields: { id: { id: car.objectId }, model: 'Coupé', mileage: '0' },
      previousTransaction: executed.digest,
      hasPublicTransfer: true,
      coin: null,
    });
    const layout = bcs.struct('Car', { id: bcs.Address, model: bcs.string(), mileage: bcs.u64() });
    expect(layout.parse(car.contents)).toEqual({
      id: car.objectId,
      model: 'Coupé',
      mileage: '0',
    });
    expect(executed.events).toEqual([
      {
        id: { txDigest: executed.digest, eventSeq: 0 },
        packageId,
        transactionModule: 'garage',
        sender: alice.address,
        type: garage('CarBuilt'),
        fields: { car: car.objectId, builder: alice.address },
        bcs: Uint8Array.from(Buffer.from(car.objectId.slice(2) + alice.address.slice(2), 'hex')),
        timestampMs: chain.time,
      },
    ]);
    expect(executed.effects.eventsDigest).not.toBeNull();
    expect(executed.objectChanges).toContainEqual({
      type: 'created',
      sender: alice.address,
      owner: { AddressOwner: alice.address },
      objectType: garage('Car'),
      ...car.reference,
    });
  });

  it('changes, transfers and deletes an object', async () => {
    const chain = new TestChain();
    const { alice, car } = await build(chain);
    const driven = await chain.run(alice, drive(chain, car, 2n ** 60n));
    expect(chain.object(car.objectId).fields).toMatchObject({ mileage: String(2n ** 60n) });
    expect(driven.events[0]?.fields).toMatchObject({ distance: String(2n ** 60n) });
    const refused = await chain.run(alice, drive(chain, car, 2n ** 64n - 1n));
    expect(refused.effects.status).toMatchObject({
      error: expect.stringMatching(/Some\("drive"\) }, 1\) in command 0$/),
    });

    await chain.run(alice, (tx) => {
      const args = [chain.input(tx, car), tx.pure.address(BOB)];
      tx.moveCall({ target: garage('give_car'), arguments: args });
    });
    expect(chain.object(car.objectId).owner).toEqual({ AddressOwner: BOB });
    expect(chain.engine.listOwnedObjects(BOB, { limit: 5 }).data).toHaveLength(1);
  });

  it('refunds the storage deposit of a deleted object', async () => {
    const chain = new TestChain();
    const { alice, car } = await build(chain);
    const { effects } = await chain.run(alice, (tx) => {
      tx.moveCall({ target: garage('scrap'), arguments: [chain.input(tx, car)] });
    });
    expect(effects.deleted.map(({ objectId }) => objectId)).toEqual([car.objectId]);
    expect(effects.gasUsed.storageRebate).toBe(car.storageRebate + 980_400n);
    expect(chain.engine.getObject(car.objectId).kind).toBe('deleted');
    expect(chain.engine.getPastObject(car.objectId, car.version)).toEqual({
      kind: 'found',
      object: car,
    });
  });

  it('has a shared counter that needs no locks', async () => {
    const chain = new TestChain();
    const { counterId } = chain.engine.demo;
    const accounts = [await chain.account(COIN), await chain.account(COIN)];
    const accepted = await Promise.all(
      accounts.map(async (account) => {
        const bytes = await chain.build(
          (tx) => {
            const counter = tx.sharedObjectRef({
              objectId: counterId,
              initialSharedVersion: 1,
              mutable: true,
            });
            tx.moveCall({ target: garage('count'), arguments: [counter] });
          },
          { sender: account.address, gas: account.coins },
        );
        const acceptance = await chain.engine.accept(bytes, [await sign(account.keypair, bytes)]);
        return acceptance.kind === 'accepted' ? acceptance.accepted : null;
      }),
    );
    const [first, second] = accepted.map((each) => chain.engine.execute(each!).effects);
    expect(chain.object(counterId).fields).toMatchObject({ value: '2' });
    expect(chain.object(counterId).owner).toEqual({ Shared: { initial_shared_version: 1 } });
    expect(second!.sharedObjects[0]).toEqual(
      first!.mutated.find(({ reference }) => reference.objectId === counterId)?.reference,
    );
    expect(second!.lamportVersion).toBeGreaterThan(first!.lamportVersion);
    expect(second!.dependencies).toContain(first!.transactionDigest);
  });

  it('refuses to change a read-only input', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { effects } = await chain.run(alice, (tx) => {
      const counter = tx.sharedObjectRef({
        objectId: chain.engine.demo.counterId,
        initialSharedVersion: 1,
        mutable: false,
      });
      tx.moveCall({ target: garage('count'), arguments: [counter] });
    });
    expect(effects.status).toMatchObject({
      error: 'CommandArgumentError { arg_idx: 0, kind: InvalidObjectByMutRef } in command 0',
    });
  });

  it('mints its own coin type, with a separate balance', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const type = `${packageId}::token::TOKEN`;
    await chain.run(alice, (tx) => {
      const args = [tx.pure.u64(77), tx.pure.address(BOB)];
      tx.moveCall({ target: `${packageId}::token::mint`, arguments: args });
    });
    expect(chain.engine.getBalance(BOB, type)).toEqual({
      coinType: type,
      coinObjectCount: 1,
      totalBalance: 77n,
    });
    expect(chain.engine.getTotalSupply('0xdec0::token::TOKEN')).toBe(77n);
  });

  it('shows functions in the normalized form of a node', () => {
    const { engine } = new TestChain();
    const context = {
      Struct: { address: '0x2', module: 'tx_context', name: 'TxContext', typeArguments: [] },
    };
    const car = {
      Struct: { address: packageId, module: 'garage', name: 'Car', typeArguments: [] },
    };
    expect(engine.getNormalizedFunction('0xdec0', 'garage', 'drive')).toEqual({
      visibility: 'Public',
      isEntry: true,
      typeParameters: [],
      parameters: [{ MutableReference: car }, 'U64', { MutableReference: context }],
      return: [],
    });
    expect(engine.getNormalizedFunction('0x2', 'coin', 'split')).toMatchObject({
      typeParameters: [{ abilities: [] }],
      return: [{ Struct: { address: '0x2', name: 'Coin', typeArguments: [{ TypeParameter: 0 }] } }],
    });
    expect(engine.getNormalizedFunction('0x2', 'coin', 'nothing')).toBeNull();
    expect(engine.getModuleNames('0xdec0')).toEqual(['garage', 'token', 'account']);
    expect(engine.getModuleNames('0x99')).toBeNull();
  });
});
