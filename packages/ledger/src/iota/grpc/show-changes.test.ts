import { describe, expect, it } from '@jest/globals';
import type { ChangedObject, EffectsBcs } from './effects-reader.js';
import type { Owner, StoredObject } from './object-bcs.js';
import { showBalanceChanges, showObjectChanges, type StoredObjects } from './show-changes.js';

const address = (digit: string) => `0x${digit.repeat(64)}`;
const owned = (by: string): Owner => ({ $kind: 'AddressOwner', AddressOwner: address(by) });
const SHARED: Owner = { $kind: 'Shared', Shared: { initialSharedVersion: '3' } };
const CHILD: Owner = { $kind: 'ObjectOwner', ObjectOwner: address('1') };
const DIGEST = '1'.repeat(32);
const LAMPORT = '9';
const NO_OBJECTS: StoredObjects = new Map();

function effectsOf(changedObjects: readonly ChangedObject[]): EffectsBcs {
  return {
    failure: null,
    lamportVersion: LAMPORT,
    changedObjects,
    gasObjectIndex: null,
  } as Partial<EffectsBcs> as EffectsBcs;
}

function change(
  id: string,
  before: string | null,
  after: 'object' | 'package' | null,
  operation: 'None' | 'Created' | 'Deleted' = 'None',
): ChangedObject {
  return [
    address(id),
    {
      inputState: before
        ? { $kind: 'Exist', Exist: [[before, DIGEST], owned('a')] }
        : { $kind: 'NotExist', NotExist: true },
      outputState:
        after === 'object'
          ? { $kind: 'ObjectWrite', ObjectWrite: [DIGEST, owned('b')] }
          : after === 'package'
            ? { $kind: 'PackageWrite', PackageWrite: ['4', DIGEST] }
            : { $kind: 'NotExist', NotExist: true },
      idOperation: { $kind: operation } as ChangedObject[1]['idOperation'],
    },
  ];
}

function stored(...objects: readonly Partial<StoredObject>[]): StoredObjects {
  return new Map(
    objects.map((one) => {
      const object = { version: LAMPORT, modules: [], coinType: null, balance: null, ...one };
      return [`${object.objectId}@${object.version}`, object as StoredObject];
    }),
  );
}

const coin = (
  id: string,
  owner: Owner,
  balance: bigint,
  coinType = '0x2::iota::IOTA',
  version = LAMPORT,
) => ({ objectId: address(id), version, owner, coinType, balance });

describe('object changes', () => {
  it('list what was mutated, created and unwrapped, each by id, and nothing that is gone', () => {
    const changes = [
      change('1', null, 'object'),
      change('2', null, 'object', 'Created'),
      change('3', '5', 'object'),
      change('4', '5', null, 'Deleted'),
      change('5', '5', null),
      change('6', null, null, 'Deleted'),
      change('7', null, null, 'Created'),
      change('8', null, 'package', 'Created'),
      change('9', '3', 'package'),
    ];
    const types = ['1', '2', '3'].map((id) => ({ objectId: address(id), type: `0x2::m::T${id}` }));
    const packages = ['8', '9'].map((id) => ({
      objectId: address(id),
      version: '4',
      type: 'package',
      modules: ['m'],
    }));
    const objectChanges = showObjectChanges(effectsOf(changes), 'S', stored(...types, ...packages));
    const written = { sender: 'S', owner: { AddressOwner: address('b') }, version: LAMPORT };
    expect(objectChanges).toEqual([
      {
        type: 'mutated',
        ...written,
        objectId: address('3'),
        objectType: '0x2::m::T3',
        previousVersion: '5',
        digest: DIGEST,
      },
      {
        type: 'created',
        ...written,
        objectId: address('2'),
        objectType: '0x2::m::T2',
        digest: DIGEST,
      },
      {
        type: 'published',
        packageId: address('8'),
        version: '4',
        digest: DIGEST,
        modules: ['m'],
      },
      {
        type: 'unwrapped',
        ...written,
        objectId: address('1'),
        objectType: '0x2::m::T1',
        digest: DIGEST,
      },
    ]);
  });

  it('need every object that was written, at its version', () => {
    const effects = effectsOf([change('3', '5', 'object')]);
    const other = stored({ objectId: address('3'), version: '8', type: '0x2::m::T' });
    expect(() => showObjectChanges(effects, 'S', other)).toThrow(
      `the node leaves out object ${address('3')} at version 9`,
    );
  });
});

describe('balance changes', () => {
  it('are sums for each owner and type of coin, in the order of nodes, without zeros', () => {
    const [short, long] = [`${address('c')}::a::A`, `${address('c')}::a0::A`];
    const inputs = stored(
      coin('1', owned('a'), 100n, '0x2::iota::IOTA', '5'),
      coin('2', owned('a'), 7n, long, '5'),
      coin('3', owned('b'), 50n, '0x2::iota::IOTA', '5'),
      { objectId: address('4'), version: '5' },
    );
    const outputs = stored(
      coin('1', owned('a'), 60n),
      coin('3', owned('b'), 50n),
      coin('5', SHARED, 1n),
      coin('6', { $kind: 'Immutable', Immutable: true }, 2n),
      coin('7', CHILD, 3n),
      coin('8', owned('9'), 34n),
      coin('9', owned('a'), 7n, short),
      { objectId: address('4') },
    );
    const effects = effectsOf([
      change('1', '5', 'object'),
      change('2', '5', null, 'Deleted'),
      change('3', '5', 'object'),
      change('4', '5', 'object'),
      ...['5', '6', '7', '8', '9'].map((id) => change(id, null, 'object', 'Created')),
    ]);
    const iota = '0x2::iota::IOTA';
    expect(showBalanceChanges(effects, inputs, outputs, null)).toEqual([
      { owner: { AddressOwner: address('9') }, coinType: iota, amount: '34' },
      { owner: { AddressOwner: address('a') }, coinType: iota, amount: '-40' },
      { owner: { AddressOwner: address('a') }, coinType: short, amount: '7' },
      { owner: { AddressOwner: address('a') }, coinType: long, amount: '-7' },
      { owner: { ObjectOwner: address('1') }, coinType: iota, amount: '3' },
      { owner: { Shared: { initial_shared_version: 3 } }, coinType: iota, amount: '1' },
      { owner: 'Immutable', coinType: iota, amount: '2' },
    ]);
  });

  it('need every object before and after, since a missing coin would be a wrong sum', () => {
    const effects = effectsOf([change('1', '5', 'object')]);
    const [before, after] = [
      stored(coin('1', owned('a'), 1n, 'T', '5')),
      stored(coin('1', owned('a'), 1n)),
    ];
    expect(() => showBalanceChanges(effects, NO_OBJECTS, after, null)).toThrow('at version 5');
    expect(() => showBalanceChanges(effects, before, NO_OBJECTS, null)).toThrow('at version 9');
  });

  it('are only the gas of a failed transaction, even if it gives something back', () => {
    const effects: EffectsBcs = {
      ...effectsOf([change('1', '5', 'object')]),
      failure: { error: 'E', abort: null, command: null },
      gasObjectIndex: 0,
      gasUsed: {
        computationCost: '10',
        computationCostBurned: '10',
        storageCost: '20',
        storageRebate: '35',
        nonRefundableStorageFee: '1',
      },
    };
    expect(showBalanceChanges(effects, NO_OBJECTS, NO_OBJECTS, null)).toEqual([
      { owner: { AddressOwner: address('b') }, coinType: '0x2::iota::IOTA', amount: '5' },
    ]);
  });
});
