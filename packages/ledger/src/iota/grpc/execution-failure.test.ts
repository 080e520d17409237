import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { describeFailure, readFailure } from './execution-failure.js';

type Effects = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>;
type Failed = NonNullable<Extract<Effects['status'], { Failed: unknown }>['Failed']>;

const ID = `0x${'ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;
const place = { module: { address: ID, name: 'm' }, function: 3, instruction: 4 };
const sizes = { objectSize: 5, maxObjectSize: 4 };
const argument = (kind: object) => ({ CommandArgumentError: { argIdx: 1, kind } });
const upgrade = (upgradeError: object) => ({ PackageUpgradeError: { upgradeError } });
const PLACE = `${ID.slice(2)}::m`;

/** Every error that the SDK knows, each with a part of its text. */
const ERRORS: readonly (readonly [object, string])[] = [
  [{ InsufficientGas: true }, 'Insufficient Gas.'],
  [{ InvalidGasObject: true }, 'Invalid Gas Object.'],
  [{ InvariantViolation: true }, 'INVARIANT VIOLATION.'],
  [{ FeatureNotYetSupported: true }, 'not supported yet'],
  [{ MoveObjectTooBig: sizes }, 'Move object with size 5 is larger than the maximum object size 4'],
  [{ MovePackageTooBig: sizes }, 'Move package with size 5 is larger'],
  [{ CircularObjectOwnership: { object: ID } }, `including object ${ID}.`],
  [{ InsufficientCoinBalance: true }, 'Insufficient coin balance for operation.'],
  [{ CoinBalanceOverflow: true }, 'overflows u64'],
  [{ PublishErrorNonZeroAddress: true }, 'Publish Error, Non-zero Address. The modules'],
  [{ IotaMoveVerificationError: true }, 'Bytecode Verification Error. Please run the IOTA'],
  [{ MovePrimitiveRuntimeError: null }, 'Location: UNKNOWN. Arithmetic error'],
  [
    { MovePrimitiveRuntimeError: { ...place, functionName: null } },
    `Location: ${PLACE} in function definition 3 at offset 4. Arithmetic`,
  ],
  [
    { MoveAbort: [{ ...place, functionName: 'f' }, 7] },
    `Location: ${PLACE}::f (function index 3) at offset 4, Abort Code: 7`,
  ],
  [{ VMVerificationOrDeserializationError: true }, 'Move Bytecode Verification Error. Please'],
  [{ VMInvariantViolation: true }, 'MOVE VM INVARIANT VIOLATION.'],
  [{ FunctionNotFound: true }, 'Function Not Found.'],
  [{ ArityMismatch: true }, 'Arity mismatch for Move function.'],
  [{ TypeArityMismatch: true }, 'Type arity mismatch'],
  [{ NonEntryFunctionInvoked: true }, 'Non Entry Function Invoked.'],
  [argument({ TypeMismatch: true }), 'at 1. The type of the value does not match'],
  [argument({ InvalidBCSBytes: true }), 'cannot be deserialized'],
  [argument({ InvalidUsageOfPureArg: true }), 'instantiated from raw bytes'],
  [argument({ InvalidArgumentToPrivateEntryFunction: true }), 'private entry function'],
  [argument({ IndexOutOfBounds: { idx: 9 } }), 'result vector 9'],
  [
    argument({ SecondaryIndexOutOfBounds: { resultIdx: 9, secondaryIdx: 8 } }),
    'result vector 9 at secondary index 8',
  ],
  [argument({ InvalidResultArity: { resultIdx: 9 } }), 'usage of result 9, expected a single'],
  [argument({ InvalidGasCoinUsage: true }), 'taking of the Gas coin'],
  [argument({ InvalidValueUsage: true }), 'Invalid usage of value.'],
  [argument({ InvalidObjectByValue: true }), 'passed by-value.'],
  [argument({ InvalidObjectByMutRef: true }), '&mut.'],
  [argument({ SharedObjectOperationNotAllowed: true }), 'wrapping, freezing'],
  [
    { TypeArgumentError: { argumentIdx: 2, kind: { ConstraintNotSatisfied: true } } },
    'index 2: A type provided did not match',
  ],
  [
    { UnusedValueWithoutDrop: { resultIdx: 1, secondaryIdx: 2 } },
    'Command result 1, return value 2',
  ],
  [{ InvalidPublicFunctionReturnType: { idx: 3 } }, 'for return value 3'],
  [{ InvalidTransferObject: true }, 'does not have public transfer'],
  [
    { EffectsTooLarge: { currentSize: 2, maxSize: 1 } },
    'Effects of size 2 bytes too large. Limit is 1',
  ],
  [{ PublishUpgradeMissingDependency: true }, 'Missing dependency.'],
  [{ PublishUpgradeDependencyDowngrade: true }, 'Dependency downgrade.'],
  [upgrade({ UnableToFetchPackage: { packageId: ID } }), `Unable to fetch package at ${ID}`],
  [upgrade({ NotAPackage: { objectId: ID } }), `Object ${ID} is not a package`],
  [upgrade({ IncompatibleUpgrade: true }), 'incompatible with previous version'],
  [upgrade({ DigestDoesNotMatch: { digest: new Uint8Array(32) } }), 'computed digest disagree'],
  [upgrade({ UnknownUpgradePolicy: { policy: 255 } }), 'Upgrade policy 255 is not'],
  [
    upgrade({ PackageIDDoesNotMatch: { packageId: ID, ticketId: OTHER } }),
    `Package ID ${ID} does not match package ID in upgrade ticket ${OTHER}`,
  ],
  [{ WrittenObjectsTooLarge: { currentSize: 2, maxSize: 1 } }, 'Written objects of 2 bytes'],
  [{ CertificateDenied: true }, 'Certificate is on the deny list'],
  [{ IotaMoveVerificationTimedout: true }, 'Verification Timeout.'],
  [{ SharedObjectOperationNotAllowed: true }, 'The shared object operation is not allowed.'],
  [{ InputObjectDeleted: true }, 'dependency on a deleted shared object'],
  [
    { ExecutionCancelledDueToSharedObjectCongestion: { congestedObjects: [ID, OTHER] } },
    `on shared objects: ${ID}, ${OTHER}, .`,
  ],
  [
    { AddressDeniedForCoin: { address: ID, coinType: `${OTHER}::é::É` } },
    `Address ${ID} is denied for coin ${OTHER}::é::É`,
  ],
  [{ CoinTypeGlobalPause: { coinType: 'c' } }, 'globally paused for use: c'],
  [{ ExecutionCancelledDueToRandomnessUnavailable: true }, 'randomness could not be generated'],
];

/** The failure in BCS, with a byte behind it that must stay unread. */
function bytesOf(error: object, command: number | null): Uint8Array {
  const status = { Failed: { error: error as Failed['error'], command } };
  const zero = '1'.repeat(32);
  const gasUsed = {
    computationCost: 0,
    computationCostBurned: 0,
    storageCost: 0,
    storageRebate: 0,
    nonRefundableStorageFee: 0,
  };
  const rest = {
    executedEpoch: 0,
    gasUsed,
    transactionDigest: zero,
    gasObjectIndex: null,
    eventsDigest: null,
    dependencies: [],
    lamportVersion: 0,
    changedObjects: [],
    unchangedSharedObjects: [],
    auxDataDigest: null,
  };
  const [failed, successful] = [status, { Success: true } as const].map((one) =>
    bcs.TransactionEffects.serialize({ V1: { status: one, ...rest } }).toBytes(),
  );
  // Version and status in front, and behind it what follows a success too.
  return failed!.subarray(2, failed!.length - (successful!.length - 2));
}

function read(bytes: Uint8Array) {
  const reader = new StrictReader(bytes);
  const failure = readFailure(reader);
  reader.expectEnd();
  return failure;
}

describe('the failure of a transaction', () => {
  it.each(ERRORS)('is read in every form: %j', (error, text) => {
    const failure = read(bytesOf(error, 0));
    expect(failure.error).toContain(text);
    expect(failure.command).toBe(0n);
    expect(read(bytesOf(error, null)).command).toBeNull();
  });

  it('is read in forms that the SDK does not know', () => {
    const id = Buffer.from(ID.slice(2), 'hex');
    const congestion = Buffer.concat([Buffer.of(37, 1), id, Buffer.of(9, 0, 0, 0, 0, 0, 0, 0, 0)]);
    expect(read(congestion).error).toBe(
      `Certificate is cancelled due to congestion on shared objects: ${ID}, . To give this certificate more priority to be executed, its gas price can be increased to at least 9.`,
    );
    expect(read(Buffer.of(38, 0)).error).toMatch(/valid linkage/);
    expect(() => read(Buffer.of(99, 0))).toThrow('unknown variant 99 of ExecutionFailureStatus');
  });

  it('counts the commands of an executed transaction from one, and names where it aborted', () => {
    const abort = { MoveAbort: [{ ...place, functionName: 'f' }, 7] };
    const text = (error: object, command: number | null, isSimulated = false) =>
      describeFailure(read(bytesOf(error, command)), isSimulated);
    const where = `from '0x${PLACE}::f' (instruction 4), abort code: 7`;
    expect(text(abort, 0)).toBe(`Error in 1st command, ${where}`);
    expect(text(abort, 10)).toBe(`Error in 11st command, ${where}`);
    expect(text({ InsufficientGas: true }, 3)).toBe('Error in 4th command, Insufficient Gas.');
    expect(text({ InsufficientGas: true }, null)).toBe('Insufficient Gas.');
    expect(text({ InsufficientGas: true }, 3, true)).toBe('Insufficient Gas. in command 3');
    const unnamed = { MoveAbort: [{ ...place, functionName: null }, 7] };
    expect(text(unnamed, 1)).toBe(
      `Error in 2nd command, from '0x${PLACE}' (instruction 4), abort code: 7`,
    );
  });
});
