import type { bcs } from '@iota/iota-sdk/bcs';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { type ExecutionFailure, readFailure } from './execution-failure.js';
import { readOwner } from './object-bcs.js';

/** Effects in the form of the SDK, except for their status. */
export interface EffectsBcs extends Omit<
  (typeof bcs.TransactionEffects.$inferType)['V1'],
  'status'
> {
  /** Null: the execution was successful. */
  readonly failure: ExecutionFailure | null;
}

export type ChangedObject = EffectsBcs['changedObjects'][number];
type Change = ChangedObject[1];

/**
 * The SDK takes ten times as long to read effects, and does not know the errors of newer nodes. Throws
 * `Error` for bytes that are not effects.
 */
export function parseEffects(bytes: Uint8Array): EffectsBcs {
  const reader = new StrictReader(bytes);
  reader.readVariant(1, 'TransactionEffects');
  if (reader.readVariant(2, 'ExecutionStatus') === SUCCESS) return readEffects(reader, null);
  const errorAt = reader.position;
  try {
    return readEffects(reader, readFailure(reader));
  } catch (error) {
    const effects = readAfterUnknownError(bytes, errorAt);
    if (effects === null) throw error;
    return effects;
  }
}

const SUCCESS = 0;

/**
 * Effects of a transaction that failed for a reason which only newer nodes know, of unknown length: it ends
 * where the rest can be read to the end. The outcome must not be uncertain because of it. Null: the bytes are
 * not effects.
 */
function readAfterUnknownError(bytes: Uint8Array, errorAt: number): EffectsBcs | null {
  for (let start = errorAt + 1; start < bytes.length; start++) {
    const reader = new StrictReader(bytes.subarray(start));
    try {
      const command = reader.readBoolean() ? reader.readU64() : null;
      const error = `An error of a newer version of the ledger, ${bytes[errorAt]}`;
      return readEffects(reader, { error, abort: null, command });
    } catch {
      // The error continues.
    }
  }
  return null;
}

/** The effects behind their status, up to the end. */
function readEffects(reader: StrictReader, failure: ExecutionFailure | null): EffectsBcs {
  const u64 = () => String(reader.readU64());
  const digest = () => reader.readDigest();
  const effects: EffectsBcs = {
    failure,
    executedEpoch: u64(),
    gasUsed: {
      computationCost: u64(),
      computationCostBurned: u64(),
      storageCost: u64(),
      storageRebate: u64(),
      nonRefundableStorageFee: u64(),
    },
    transactionDigest: digest(),
    gasObjectIndex: reader.readBoolean() ? reader.readU32() : null,
    eventsDigest: reader.readBoolean() ? digest() : null,
    dependencies: list(reader, digest),
    lamportVersion: u64(),
    changedObjects: list(reader, () => [reader.readAddress(), readChange(reader)]),
    unchangedSharedObjects: list(reader, () => [reader.readAddress(), readUnchanged(reader)]),
    auxDataDigest: reader.readBoolean() ? digest() : null,
  };
  reader.expectEnd();
  return effects;
}

function list<T>(reader: StrictReader, read: () => T): T[] {
  return Array.from({ length: reader.readLength() }, read);
}

function readChange(reader: StrictReader): Change {
  const existed = reader.readVariant(2, 'ObjectIn') === 1;
  const inputState: Change['inputState'] = existed
    ? { $kind: 'Exist', Exist: [readVersionDigest(reader), readOwner(reader)] }
    : { $kind: 'NotExist', NotExist: true };
  return { inputState, outputState: readOutput(reader), idOperation: readOperation(reader) };
}

function readOutput(reader: StrictReader): Change['outputState'] {
  switch (reader.readVariant(3, 'ObjectOut')) {
    case 0:
      return { $kind: 'NotExist', NotExist: true };
    case 1:
      return { $kind: 'ObjectWrite', ObjectWrite: [reader.readDigest(), readOwner(reader)] };
    default:
      return { $kind: 'PackageWrite', PackageWrite: readVersionDigest(reader) };
  }
}

function readOperation(reader: StrictReader): Change['idOperation'] {
  switch (reader.readVariant(3, 'IDOperation')) {
    case 0:
      return { $kind: 'None', None: true };
    case 1:
      return { $kind: 'Created', Created: true };
    default:
      return { $kind: 'Deleted', Deleted: true };
  }
}

function readVersionDigest(reader: StrictReader): [string, string] {
  return [String(reader.readU64()), reader.readDigest()];
}

function readUnchanged(reader: StrictReader): EffectsBcs['unchangedSharedObjects'][number][1] {
  switch (reader.readVariant(5, 'UnchangedSharedKind')) {
    case 0:
      return { $kind: 'ReadOnlyRoot', ReadOnlyRoot: readVersionDigest(reader) };
    case 1:
      return { $kind: 'MutateDeleted', MutateDeleted: String(reader.readU64()) };
    case 2:
      return { $kind: 'ReadDeleted', ReadDeleted: String(reader.readU64()) };
    case 3:
      return { $kind: 'Cancelled', Cancelled: String(reader.readU64()) };
    default:
      return { $kind: 'PerEpochConfig', PerEpochConfig: true };
  }
}
