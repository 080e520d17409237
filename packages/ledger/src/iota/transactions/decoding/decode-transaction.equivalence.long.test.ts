import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import fc from 'fast-check';
import type { DecodedTransaction } from '../../../decoded-transaction.js';
import { InvalidTransactionBytes } from '../../../invalid-transaction-bytes.js';
import { decodeTransaction } from './decode-transaction.js';
import { decodeWithSdk } from './decode-with-sdk.test-support.js';

const RUNS = Number(process.env['FORECOURT_FUZZ_SCALE'] ?? 1) * 120;

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const address = fc.oneof(fc.constantFrom('0x2', '0x3').map(full), bytes32.map(hex));
const u16 = fc.nat(300);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const version = fc.nat().map(String);
const digest = bytes32.map((bytes) =>
  bcs.ObjectDigest.parse(Buffer.concat([Buffer.of(32), bytes])),
);
const name = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,8}$/).filter((text) => text !== '_');

const type = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('bool', 'u8', 'u16', 'u32', 'u64', 'u128', 'u256', 'address', 'signer'),
    tie('type').map((inner) => `vector<${inner}>`),
    fc
      .tuple(address, name, name, fc.array(tie('type'), { maxLength: 3 }))
      .map(([index, module, struct, inner]) =>
        inner.length === 0
          ? `${index}::${module}::${struct}`
          : `${index}::${module}::${struct}<${inner.join(', ')}>`,
      ),
  ),
})).type;

const argument = fc.oneof(
  fc.constant({ GasCoin: true as const }),
  u16.map((Input) => ({ Input })),
  u16.map((Result) => ({ Result })),
  fc.tuple(u16, u16).map((NestedResult) => ({ NestedResult })),
);
const some = fc.array(argument, { maxLength: 4 });
const modules = fc.array(fc.base64String({ maxLength: 200 }), { maxLength: 2 });
const dependencies = fc.array(address, { maxLength: 3 });
const command = fc.oneof(
  fc.record({
    MoveCall: fc.record({
      package: address,
      module: name,
      function: name,
      typeArguments: fc.array(type, { maxLength: 3 }),
      arguments: some,
    }),
  }),
  fc.record({ TransferObjects: fc.record({ objects: some, address: argument }) }),
  fc.record({ SplitCoins: fc.record({ coin: argument, amounts: some }) }),
  fc.record({ MergeCoins: fc.record({ destination: argument, sources: some }) }),
  fc.record({ Publish: fc.record({ modules, dependencies }) }),
  fc.record({ MakeMoveVec: fc.record({ type: fc.option(type), elements: some }) }),
  fc.record({
    Upgrade: fc.record({ modules, dependencies, package: address, ticket: argument }),
  }),
);

const reference = fc.record({ objectId: address, version, digest });
const shared = fc.record({
  objectId: address,
  initialSharedVersion: version,
  mutable: fc.boolean(),
});
const input = fc.oneof(
  fc.record({ Pure: fc.record({ bytes: fc.base64String({ maxLength: 400 }) }) }),
  fc.record({ Object: fc.record({ ImmOrOwnedObject: reference }) }),
  fc.record({ Object: fc.record({ SharedObject: shared }) }),
  fc.record({ Object: fc.record({ Receiving: reference }) }),
);

const transaction = fc
  .record({
    inputs: fc.array(input, { maxLength: 6 }),
    commands: fc.array(command, { maxLength: 5 }),
    sender: address,
    payment: fc.array(reference, { maxLength: 3 }),
    owner: address,
    price: u64,
    budget: u64,
    epoch: fc.option(fc.nat()),
  })
  .map(({ inputs, commands, sender, payment, owner, price, budget, epoch }) =>
    bcs.TransactionData.serialize({
      V1: {
        kind: { ProgrammableTransaction: { inputs, commands } },
        sender,
        gasData: { payment, owner, price, budget },
        expiration: epoch === null ? { None: true } : { Epoch: epoch },
      },
    }).toBytes(),
  );

/**
 * Mutations of every byte: another value, a flipped bit, a byte more or less, a number with a
 * needless byte.
 */
const mutation = fc.tuple(
  fc.constantFrom('set', 'flip', 'insert', 'remove', 'lengthen', 'cut'),
  fc.nat(),
  fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
);

function mutate(bytes: Uint8Array, [kind, where, value]: [string, number, number]): Uint8Array {
  const all = [...bytes];
  const position = all.length === 0 ? 0 : where % all.length;
  if (kind === 'set') all[position] = value;
  else if (kind === 'flip') all[position]! ^= 1 << (value % 8);
  else if (kind === 'insert') all.splice(position, 0, value);
  else if (kind === 'remove') all.splice(position, 1);
  else if (kind === 'lengthen') all.splice(position, 1, all[position]! | 0x80, 0);
  else all.length = position;
  return Uint8Array.from(all);
}

/** The decoded transaction, or the reason of the failure. */
function decode(bytes: Uint8Array): DecodedTransaction | string {
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidTransactionBytes);
    return (error as Error).message;
  }
}

function isTakenBySdk(bytes: Uint8Array): boolean {
  try {
    decodeWithSdk(bytes);
    return true;
  } catch {
    return false;
  }
}

describe('the strict reader', () => {
  it('reads every transaction that the SDK writes as the SDK reads it', () => {
    fc.assert(
      fc.property(transaction, (bytes) => {
        expect(decodeTransaction(bytes)).toEqual(decodeWithSdk(bytes));
      }),
      { numRuns: RUNS },
    );
  });

  it('accepts only the bytes that the SDK would write', () => {
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
    let taken = 0;
    fc.assert(
      fc.property(transaction, mutations, (bytes, changes) => {
        const mutated = changes.reduce(mutate, bytes);
        const decoded = decode(mutated);
        if (typeof decoded === 'string') {
          // In the SDK's texts of types, a name with brackets or colons looks like several names.
          const isName = decoded.includes('is not a Move identifier');
          return expect(isName || !isTakenBySdk(mutated)).toBe(true);
        }
        // An epoch that the SDK cannot represent is the only input that the SDK alone refuses.
        if ((decoded.expirationEpoch ?? 0n) > BigInt(Number.MAX_SAFE_INTEGER)) return;
        expect(decoded).toEqual(decodeWithSdk(mutated));
        taken += 1;
      }),
      { numRuns: 4 * RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 4);
  });

  it('rejects a padded number, a boolean of 2 and trailing bytes', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), (bytes, where) => {
        const longer = mutate(bytes, ['insert', bytes.length, 0]);
        const lengthened = mutate(bytes, ['lengthen', where, 0]);
        for (const one of [Uint8Array.from([...bytes, 0]), longer, lengthened]) {
          expect(typeof decode(one) === 'string' || isTakenBySdk(one)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps an expiration beyond 2^53 exact', () => {
    fc.assert(
      fc.property(transaction, (bytes) => {
        const buffer = Buffer.from(bytes);
        const expiring =
          decodeTransaction(bytes).expirationEpoch === null
            ? Buffer.concat([buffer.subarray(0, -1), Buffer.of(1), Buffer.alloc(8, 0xff)])
            : Buffer.concat([buffer.subarray(0, -8), Buffer.alloc(8, 0xff)]);
        expect(decodeTransaction(expiring).expirationEpoch).toBe(2n ** 64n - 1n);
      }),
      { numRuns: 50 },
    );
  });
});

function full(id: string): string {
  return `0x${id.slice(2).padStart(64, '0')}`;
}
