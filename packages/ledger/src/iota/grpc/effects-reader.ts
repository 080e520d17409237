import { bcs } from '@iota/iota-sdk/bcs';
import { StrictReader } from '../transactions/decoding/strict-reader.js';

export type EffectsBcs = (typeof bcs.TransactionEffects.$inferType)['V1'];
type Change = EffectsBcs['changedObjects'][number];
type Owner = typeof bcs.Owner.$inferType;

const SUCCESS = 0;

/**
 * Effects in the form of the SDK, which takes ten times as long to read them. Those of failed transactions, whose errors
 * have many forms, are left to the SDK. Throws `Error` for bytes that are no effects.
 */
export function parseEffects(bytes: Uint8Array): EffectsBcs {
  const reader = new StrictReader(bytes);
  reader.readVariant(1, 'TransactionEffects');
  if (reader.readVariant(2, 'ExecutionStatus') !== SUCCESS) {
    return bcs.TransactionEffects.parse(bytes).V1;
  }
  const u64 = () => String(reader.readU64());
  const digest = () => reader.readDigest();
  const effects: EffectsBcs = {
    status: { $kind: 'Success', Success: true },
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

function readChange(reader: StrictReader): Change[1] {
  const existed = reader.readVariant(2, 'ObjectIn') === 1;
  const inputState: Change[1]['inputState'] = existed
    ? { $kind: 'Exist', Exist: [readVersionDigest(reader), readOwner(reader)] }
    : { $kind: 'NotExist', NotExist: true };
  return { inputState, outputState: readOutput(reader), idOperation: readOperation(reader) };
}

function readOutput(reader: StrictReader): Change[1]['outputState'] {
  switch (reader.readVariant(3, 'ObjectOut')) {
    case 0:
      return { $kind: 'NotExist', NotExist: true };
    case 1:
      return { $kind: 'ObjectWrite', ObjectWrite: [reader.readDigest(), readOwner(reader)] };
    default:
      return { $kind: 'PackageWrite', PackageWrite: readVersionDigest(reader) };
  }
}

function readOperation(reader: StrictReader): Change[1]['idOperation'] {
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

function readOwner(reader: StrictReader): Owner {
  switch (reader.readVariant(4, 'Owner')) {
    case 0:
      return { $kind: 'AddressOwner', AddressOwner: reader.readAddress() };
    case 1:
      return { $kind: 'ObjectOwner', ObjectOwner: reader.readAddress() };
    case 2:
      return { $kind: 'Shared', Shared: { initialSharedVersion: String(reader.readU64()) } };
    default:
      return { $kind: 'Immutable', Immutable: true };
  }
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
