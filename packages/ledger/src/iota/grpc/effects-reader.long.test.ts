import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import fc from 'fast-check';
import { parseEffects } from './effects-reader.js';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const digest = bytes32.map((bytes) => bcs.ObjectDigest.parse(Uint8Array.of(32, ...bytes)));
const address = bytes32.map((bytes) => bcs.Address.parse(bytes));
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const yes = fc.constant(true as const);
const versionDigest = fc.tuple(u64, digest);
const optionalDigest = fc.option(digest);
const costs = ['computationCost', 'computationCostBurned', 'storageCost', 'storageRebate'] as const;
const owner = fc.oneof(
  fc.record({ AddressOwner: address }),
  fc.record({ ObjectOwner: address }),
  fc.record({ Shared: fc.record({ initialSharedVersion: u64 }) }),
  fc.record({ Immutable: yes }),
);
const change = fc.record({
  inputState: fc.oneof(
    fc.record({ NotExist: yes }),
    fc.record({ Exist: fc.tuple(versionDigest, owner) }),
  ),
  outputState: fc.oneof(
    fc.record({ NotExist: yes }),
    fc.record({ ObjectWrite: fc.tuple(digest, owner) }),
    fc.record({ PackageWrite: versionDigest }),
  ),
  idOperation: fc.oneof(
    fc.record({ None: yes }),
    fc.record({ Created: yes }),
    fc.record({ Deleted: yes }),
  ),
});
const unchanged = fc.oneof(
  fc.record({ ReadOnlyRoot: versionDigest }),
  fc.record({ MutateDeleted: u64 }),
  fc.record({ ReadDeleted: u64 }),
  fc.record({ Cancelled: u64 }),
  fc.record({ PerEpochConfig: yes }),
);
const effects = fc.record({
  status: fc.constant({ Success: true } as const),
  executedEpoch: u64,
  gasUsed: fc.record({
    ...(Object.fromEntries(costs.map((name) => [name, u64])) as Record<
      (typeof costs)[number],
      typeof u64
    >),
    nonRefundableStorageFee: u64,
  }),
  transactionDigest: digest,
  gasObjectIndex: fc.option(fc.nat()),
  eventsDigest: optionalDigest,
  dependencies: fc.array(digest, { maxLength: 3 }),
  lamportVersion: u64,
  changedObjects: fc.array(fc.tuple(address, change), { maxLength: 4 }),
  unchangedSharedObjects: fc.array(fc.tuple(address, unchanged), { maxLength: 3 }),
  auxDataDigest: optionalDigest,
});

describe('parseEffects', () => {
  it('reads what the SDK reads', () => {
    fc.assert(
      fc.property(effects, (V1) => {
        const bytes = bcs.TransactionEffects.serialize({ V1 }).toBytes();
        const { failure, ...rest } = parseEffects(bytes);
        const { status, ...expected } = bcs.TransactionEffects.parse(bytes).V1;
        expect(rest).toEqual(expected);
        expect(failure === null).toBe(status.$kind === 'Success');
      }),
      { numRuns: 300 },
    );
  });

  it('reads what follows an error that it does not know, of any length', () => {
    fc.assert(
      fc.property(
        effects,
        fc.uint8Array({ maxLength: 90 }),
        fc.option(fc.nat()),
        (V1, content, command) => {
          const successful = bcs.TransactionEffects.serialize({ V1 }).toBytes();
          const option = command === null ? [0] : [1, ...bcs.U64.serialize(command).toBytes()];
          const status = [0, 1, 99, ...content, ...option];
          const { failure, ...rest } = parseEffects(
            Uint8Array.of(...status, ...successful.subarray(2)),
          );
          expect({ failure: null, ...rest }).toEqual(parseEffects(successful));
          expect(failure!.error).toMatch(/newer version of the ledger, 99$/);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('throws for truncated bytes and for more bytes', () => {
    const [V1] = fc.sample(effects, 1);
    const bytes = bcs.TransactionEffects.serialize({
      V1: { ...V1!, status: { Success: true } },
    }).toBytes();
    expect(() => parseEffects(bytes.subarray(0, -1))).toThrow();
    expect(() => parseEffects(Uint8Array.of(...bytes, 0))).toThrow();
  });
});
