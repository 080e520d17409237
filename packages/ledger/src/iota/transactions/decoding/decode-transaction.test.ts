import { describe, expect, it } from '@jest/globals';
import { Inputs, Transaction } from '@iota/iota-sdk/transactions';
import fc from 'fast-check';
import { InvalidTransactionBytes } from '../../../invalid-transaction-bytes.js';
import { decodeTransaction } from './decode-transaction.js';
import { aReference, aTransaction, anAddress } from '../transaction.test-support.js';

describe('decoding a transaction', () => {
  it('returns the sender, the payer and its coins, and the SDK’s digest', async () => {
    const { bytes, sender, sponsor, payment } = await aTransaction();
    expect(decodeTransaction(bytes)).toEqual({
      moveCalls: [],
      vectorTypes: ['u8'],
      packages: [],
      bytes,
      sender,
      gasOwner: sponsor,
      gasPayment: payment,
      gasPrice: 1000n,
      gasBudget: 5_000_000n,
      expirationEpoch: null,
      ownedInputs: [],
      receivedInputs: [],
      sharedInputs: [],
      gasCoinUses: [],
      commandKinds: ['MakeMoveVec'],
      digest: await Transaction.from(bytes).getDigest(),
    });
  });

  it('names every called function, with packages in full form', async () => {
    const { bytes } = await aTransaction((tx) => {
      tx.moveCall({ target: '0x2::m::f' });
      const typeArguments = ['0x2::a::Pair<u8, vector<0x3::b::C>>'];
      tx.moveCall({ target: '0xABC::n::g', typeArguments });
    });
    expect(decodeTransaction(bytes).moveCalls.slice(-2)).toEqual([
      { packageId: full('2'), module: 'm', function: 'f', typeArguments: [], objects: [] },
      {
        packageId: full('abc'),
        module: 'n',
        function: 'g',
        typeArguments: [`${full('2')}::a::Pair<u8,vector<${full('3')}::b::C>>`],
        objects: [],
      },
    ]);
  });

  it('names the input objects of a call, and the types of vectors', async () => {
    const [owned, received, shared] = [aReference(), aReference(), anAddress()];
    const sharedReference = { objectId: shared, initialSharedVersion: 3, mutable: true };
    const { bytes } = await aTransaction((tx) => {
      const objects = [
        tx.object(Inputs.SharedObjectRef(sharedReference)),
        tx.object(Inputs.ObjectRef({ ...owned })),
        tx.object(Inputs.ReceivingRef({ ...received })),
      ];
      const made = tx.moveCall({ target: '0x2::m::f', arguments: [...objects, tx.pure.u8(1)] });
      tx.moveCall({ target: '0x2::m::g', arguments: [made] });
      tx.makeMoveVec({ elements: objects });
      tx.makeMoveVec({ type: '0x2::a::B<0x3::c::D, u8>', elements: [] });
    });
    const { moveCalls, vectorTypes } = decodeTransaction(bytes);
    expect(moveCalls.map(({ objects }) => objects)).toEqual([
      [shared, owned.objectId, received.objectId],
      [],
    ]);
    expect(vectorTypes).toEqual([null, `${full('2')}::a::B<${full('3')}::c::D,u8>`]);
  });

  it('names every required package once: called, of types, dependencies and the upgraded one', async () => {
    const { bytes } = await aTransaction((tx) => {
      tx.moveCall({ target: '0x2::m::f', typeArguments: ['0x3::a::A<vector<0x4::b::B>>'] });
      tx.moveCall({ target: '0x2::m::g' });
      tx.makeMoveVec({ type: 'vector<0xABC::n::N>', elements: [] });
      tx.publish({ modules: [[1]], dependencies: ['0x5', '0x2'] });
      const ticket = tx.object(Inputs.ObjectRef({ ...aReference() }));
      tx.upgrade({ modules: [[1]], dependencies: ['0x6'], package: '0x7', ticket });
    });
    expect(decodeTransaction(bytes).packages).toEqual(
      ['2', '3', '4', 'abc', '5', '6', '7'].map(full),
    );
  });

  it.each<[string, (tx: Transaction) => void]>([
    ['a module', (tx) => tx.moveCall({ package: '0x2', module: 'a b', function: 'f' })],
    ['a function', (tx) => tx.moveCall({ package: '0x2', module: 'm', function: '1f' })],
    [
      'a type argument',
      (tx) => tx.moveCall({ target: '0x2::m::f', typeArguments: ['0x2::a::A<0x2::b::1B>'] }),
    ],
    ['a vector’s type', (tx) => tx.makeMoveVec({ type: '0x2::a-b::A', elements: [] })],
    ['an empty module', (tx) => tx.moveCall({ package: '0x2', module: '', function: 'f' })],
  ])('refuses a name that Move does not allow in %s', async (_where, fill) => {
    const { bytes } = await aTransaction(fill);
    expect(() => decodeTransaction(bytes)).toThrow('is not a Move identifier');
  });

  it('refuses more objects than may be named', async () => {
    const fill = (count: number) => (tx: Transaction) => {
      tx.pure.string('one that is not an object');
      const kinds = [
        () => tx.object(Inputs.ObjectRef({ ...aReference() })),
        () => tx.object(Inputs.ReceivingRef({ ...aReference() })),
        () =>
          tx.object(
            Inputs.SharedObjectRef({
              objectId: anAddress(),
              initialSharedVersion: 1,
              mutable: false,
            }),
          ),
      ];
      for (let index = 0; index < count; index++) kinds[index % kinds.length]!();
    };
    const { bytes } = await aTransaction(fill(513));
    expect(() => decodeTransaction(bytes)).toThrow(
      'references too many objects and packages: 513 exceed the limit of 512',
    );
    const fitting = decodeTransaction((await aTransaction(fill(512))).bytes);
    expect(fitting.ownedInputs.length + fitting.receivedInputs.length).toBe(342);
  });

  it('distinguishes owned, received and shared inputs, and reads the expiration', async () => {
    const [owned, received, shared] = [aReference(), aReference(), anAddress()];
    const { bytes } = await aTransaction((tx) => {
      const sharedReference = { objectId: shared, initialSharedVersion: 3, mutable: true };
      tx.setExpiration({ Epoch: 12 });
      tx.transferObjects(
        [
          tx.object(Inputs.ObjectRef({ ...owned })),
          tx.object(Inputs.ReceivingRef({ ...received })),
          tx.object(Inputs.SharedObjectRef(sharedReference)),
        ],
        anAddress(),
      );
    });
    expect(decodeTransaction(bytes)).toMatchObject({
      ownedInputs: [owned],
      receivedInputs: [received],
      expirationEpoch: 12n,
      sharedInputs: [{ objectId: shared, initialSharedVersion: 3, mutable: true }],
    });
  });

  it('keeps a version and a budget beyond 2^53 exact or refuses them', async () => {
    const { bytes } = await aTransaction((tx) => tx.setGasBudget(2n ** 63n + 1n));
    expect(decodeTransaction(bytes).gasBudget).toBe(2n ** 63n + 1n);
    const huge = await aTransaction((tx) => {
      const reference = { ...aReference(), version: String(2n ** 60n) };
      tx.transferObjects([tx.object(Inputs.ObjectRef(reference))], anAddress());
    });
    expect(() => decodeTransaction(huge.bytes)).toThrow(InvalidTransactionBytes);
  });

  it.each([
    ['nothing', () => new Uint8Array()],
    ['trailing bytes', (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0)])],
    ['truncated bytes', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['an unknown version', (bytes: Uint8Array) => Buffer.concat([Buffer.of(9), bytes.subarray(1)])],
    ['too many bytes', () => new Uint8Array(128 * 1024 + 1)],
  ])('refuses %s with the reason', async (_what, change) => {
    const { bytes } = await aTransaction();
    expect(() => decodeTransaction(change(bytes))).toThrow(InvalidTransactionBytes);
  });

  it('refuses more bytes than the ledger accepts before it reads any of them', () => {
    const decode = (length: number) => () => decodeTransaction(new Uint8Array(length));
    expect(decode(128 * 1024 + 1)).toThrow('131073 bytes exceed');
    expect(decode(128 * 1024)).toThrow(/^(?!.*bytes exceed)/);
  });

  it('refuses types of unlimited nesting, and accepts the largest number of commands', async () => {
    const { bytes } = await aTransaction();
    const position = Buffer.from(bytes).indexOf(Buffer.from([5, 1, 1, 0])) + 3;
    const vectors = Buffer.alloc(100_000, 6);
    const deep = Buffer.concat([
      bytes.subarray(0, position - 1),
      vectors,
      bytes.subarray(position),
    ]);
    expect(() => decodeTransaction(deep)).toThrow(InvalidTransactionBytes);
    const many = await aTransaction((tx) => {
      for (let i = 0; i < 1_024; i++) tx.moveCall({ target: '0x2::m::f' });
    });
    expect(decodeTransaction(many.bytes).moveCalls).toHaveLength(1_024);
  });

  it('throws only InvalidTransactionBytes, for any bytes', async () => {
    const { bytes } = await aTransaction();
    const mutation = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.oneof(mutation, fc.uint8Array({ maxLength: 300 })), (input) => {
        const mutated = Uint8Array.from(bytes);
        if (input instanceof Uint8Array) mutated.set(input.subarray(0, mutated.length));
        else for (const [index, value] of input) mutated[index] = value;
        try {
          expect(decodeTransaction(mutated).bytes).toBe(mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTransactionBytes);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('allocates nothing for a declared length that exceeds the bytes', async () => {
    const { bytes } = await aTransaction((tx) => tx.moveCall({ target: '0x2::m::f' }));
    const messages = new Set<string>();
    for (let index = 0; index + 4 < bytes.length; index++) {
      const claiming = Uint8Array.from(bytes);
      // As a length: 33 554 431.
      claiming.set([0xff, 0xff, 0xff, 0x0f], index);
      try {
        decodeTransaction(claiming);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidTransactionBytes);
        messages.add((error as Error).message);
      }
    }
    expect([...messages]).toContain('declared length exceeds the input');
  });

  it('names the deep nesting of types as the problem', async () => {
    const { bytes } = await aTransaction((tx) =>
      tx.moveCall({ target: '0x2::m::f', typeArguments: ['vector<u8>'] }),
    );
    const [one, vector, u8] = [1, 6, 1];
    const position = Buffer.from(bytes).indexOf(Buffer.from([one, vector, u8])) + 1;
    const nest = Buffer.alloc(100_000, vector);
    const nested = Buffer.concat([bytes.subarray(0, position), nest, bytes.subarray(position)]);
    expect(() => decodeTransaction(nested)).toThrow('types are nested too deeply');
  });
});

const full = (digits: string) => `0x${digits.padStart(64, '0')}`;
