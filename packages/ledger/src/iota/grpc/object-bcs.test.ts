import { describe, expect, it } from '@jest/globals';
import { bcs, TypeTagSerializer } from '@iota/iota-sdk/bcs';
import { readObjectBcs } from './object-bcs.js';

/** As the ledger defines them. */
const MoveObject = bcs.struct('MoveObject', {
  type: bcs.enum('MoveObjectType', {
    Other: bcs.StructTag,
    GasCoin: null,
    StakedIota: null,
    Coin: bcs.TypeTag,
  }),
  version: bcs.u64(),
  contents: bcs.byteVector(),
});
const MovePackage = bcs.struct('MovePackage', {
  id: bcs.Address,
  version: bcs.u64(),
  modules: bcs.map(bcs.string(), bcs.byteVector()),
  typeOrigins: bcs.vector(
    bcs.struct('TypeOrigin', {
      moduleName: bcs.string(),
      datatypeName: bcs.string(),
      package: bcs.Address,
    }),
  ),
  linkage: bcs.map(
    bcs.Address,
    bcs.struct('UpgradeInfo', { upgradedId: bcs.Address, upgradedVersion: bcs.u64() }),
  ),
});
const VersionedObject = bcs.enum('VersionedObject', {
  V1: bcs.struct('Object', {
    data: bcs.enum('Data', { Struct: MoveObject, Package: MovePackage }),
    owner: bcs.Owner,
    previousTransaction: bcs.ObjectDigest,
    storageRebate: bcs.u64(),
  }),
});
type Data = NonNullable<(typeof VersionedObject.$inferInput)['V1']>['data'];
type MoveType = typeof MoveObject.$inferInput.type;
type Owner = typeof bcs.Owner.$inferInput;

const ID = `0x${'0a'.repeat(32)}`;
const OTHER = `0x${'0b'.repeat(32)}`;
const DIGEST = bcs.ObjectDigest.parse(new Uint8Array(33).fill(32));
const id = [...Buffer.from(ID.slice(2), 'hex')];

function read(data: Data, owner: Owner = { AddressOwner: OTHER }) {
  const V1 = { data, owner, previousTransaction: DIGEST, storageRebate: 9 };
  const bytes = VersionedObject.serialize({ V1 }).toBytes();
  expect(() => readObjectBcs(bytes.subarray(0, -1))).toThrow();
  expect(() => readObjectBcs(Uint8Array.of(...bytes, 0))).toThrow();
  return readObjectBcs(bytes);
}

function moveObject(type: MoveType, contents = id) {
  return read({ Struct: { type, version: 7, contents } });
}

const structOf = (address: string, parameters: readonly string[] = []) => {
  const typeParams = parameters.map((one) => TypeTagSerializer.parseFromStr(one));
  return { Other: { address, module: 'm', name: 'T', typeParams } };
};

describe('an object of the ledger', () => {
  it.each<[MoveType, string]>([
    [structOf(ID), `${ID}::m::T`],
    [structOf('0x0'), '0x0::m::T'],
    [structOf('0x3'), '0x3::m::T'],
    [structOf('0x107a'), '0x107a::m::T'],
    [structOf('0x4'), `0x${'4'.padStart(64, '0')}::m::T`],
    [structOf('0x102'), `0x${'102'.padStart(64, '0')}::m::T`],
    [
      structOf('0x2', [`vector<${ID}::a::A>`, '0x1::option::Option<0x2::object::ID>', 'u8']),
      `0x2::m::T<vector<${ID}::a::A>, 0x1::option::Option<0x2::object::ID>, u8>`,
    ],
    [{ StakedIota: true }, '0x3::staking_pool::StakedIota'],
    // More parameters than a caller's transaction may name.
    [
      structOf(ID, Array<string>(20).fill('bool')),
      `${ID}::m::T<${Array(20).fill('bool').join(', ')}>`,
    ],
  ])('has the type that nodes write: %j', (type, expected) => {
    expect(moveObject(type)).toMatchObject({
      objectId: ID,
      version: '7',
      type: expected,
      owner: { AddressOwner: OTHER },
      previousTransaction: DIGEST,
      coinType: null,
      balance: null,
    });
  });

  it('is a coin with a balance', () => {
    const contents = [...id, 255, 255, 255, 255, 255, 255, 255, 255];
    const balance = 2n ** 64n - 1n;
    expect(moveObject({ GasCoin: true }, contents)).toMatchObject({
      type: '0x2::coin::Coin<0x2::iota::IOTA>',
      coinType: '0x2::iota::IOTA',
      balance,
    });
    expect(
      moveObject({ Coin: TypeTagSerializer.parseFromStr(`${ID}::t::T`) }, contents),
    ).toMatchObject({
      type: `0x2::coin::Coin<${ID}::t::T>`,
      coinType: `${ID}::t::T`,
      balance,
    });
  });

  it('is refused if its contents are too short for its id or balance', () => {
    const rest = [1, 2, 3, 4, 5, 6, 7];
    expect(() => moveObject({ GasCoin: true }, [...id, ...rest])).toThrow('too short');
    expect(() => moveObject({ StakedIota: true }, id.slice(1))).toThrow('too short');
  });

  it('is a package with its modules in alphabetical order, whatever their length', () => {
    const data: Data = {
      Package: {
        id: ID,
        version: 2,
        // In the order of BCS: shorter names come first.
        modules: new Map([
          ['b', [1, 2]],
          ['aa', [3]],
        ]),
        typeOrigins: [{ moduleName: 'aa', datatypeName: 'T', package: OTHER }],
        linkage: new Map([[OTHER, { upgradedId: ID, upgradedVersion: 4 }]]),
      },
    };
    expect(read(data, { Immutable: true })).toMatchObject({
      objectId: ID,
      version: '2',
      type: 'package',
      modules: ['aa', 'b'],
      balance: null,
    });
  });
});
