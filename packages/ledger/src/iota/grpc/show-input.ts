import { commandKinds } from '../../decoded-transaction.js';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { readTypeText, withoutLeadingZeros } from './type-texts.js';

/** The fields that are read; all others pass through. */
export interface ShownData {
  readonly sender: string;
  readonly gasData: { readonly payment: readonly object[]; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

type Argument =
  | 'GasCoin'
  | { readonly Input: number }
  | { readonly Result: number }
  | { readonly NestedResult: readonly [number, number] };
type PureType = 'u64' | 'address';

const PROGRAM = 0;
const U64_BYTES = 8;
const ADDRESS_BYTES = 32;

/**
 * A transaction in the JSON of nodes (`transaction.data`), from its BCS. Nodes over gRPC do not describe
 * functions, so the pure arguments of Move calls stay bytes. Throws `Error` for bytes that are not a
 * transaction.
 */
export function showTransactionData(bytes: Uint8Array): ShownData {
  const reader = new StrictReader(bytes);
  reader.readVariant(1, 'TransactionData');
  if (reader.readByte() !== PROGRAM) return showSystemTransaction(bytes);
  const transaction = readProgram(reader);
  const sender = reader.readAddress();
  const payment = list(reader, () => readReference(reader, Number));
  const owner = reader.readAddress();
  const [price, budget] = [String(reader.readU64()), String(reader.readU64())];
  // The expiration follows, which nodes do not show.
  return { messageVersion: 'v1', transaction, sender, gasData: { payment, owner, price, budget } };
}

function list<T>(reader: StrictReader, read: (reader: StrictReader) => T): T[] {
  return Array.from({ length: reader.readLength() }, () => read(reader));
}

function readProgram(reader: StrictReader): object {
  const inputs = list(reader, () => readInput(reader));
  const types = new Map<number, PureType>();
  const transactions = list(reader, () => readCommand(reader, types));
  return {
    kind: 'ProgrammableTransaction',
    inputs: inputs.map((input, index) =>
      input instanceof Uint8Array ? showPure(input, types.get(index) ?? null) : input,
    ),
    transactions,
  };
}

/** An object, or the bytes of a pure input, whose type only its uses can tell. */
function readInput(reader: StrictReader): object | Uint8Array {
  if (reader.readVariant(2, 'CallArg') === 0) return reader.readBytes(reader.readLength());
  switch (reader.readVariant(3, 'ObjectArg')) {
    case 0:
      return { type: 'object', objectType: 'immOrOwnedObject', ...readReference(reader, String) };
    case 1:
      return {
        type: 'object',
        objectType: 'sharedObject',
        objectId: reader.readAddress(),
        initialSharedVersion: String(reader.readU64()),
        mutable: reader.readBoolean(),
      };
    default:
      return { type: 'object', objectType: 'receiving', ...readReference(reader, String) };
  }
}

function readReference(reader: StrictReader, show: (version: bigint) => string | number): object {
  return {
    objectId: reader.readAddress(),
    version: show(reader.readU64()),
    digest: reader.readDigest(),
  };
}

function showPure(bytes: Uint8Array, type: PureType | null): object {
  const reader = new StrictReader(bytes);
  // Another use of the input can give it another type.
  if (type === 'u64' && bytes.length === U64_BYTES) {
    return { type: 'pure', valueType: type, value: String(reader.readU64()) };
  }
  if (type === 'address' && bytes.length === ADDRESS_BYTES) {
    return { type: 'pure', valueType: type, value: reader.readAddress() };
  }
  return { type: 'pure', valueType: type, value: [...bytes] };
}

/**
 * Nodes leave out empty lists of a Move call, and the modules of a package. `types`: of the inputs that it
 * uses.
 */
function readCommand(reader: StrictReader, types: Map<number, PureType>): object {
  const readArguments = () => list(reader, () => readArgument(reader));
  const kind = commandKinds[reader.readVariant(commandKinds.length, 'Command')]!;
  switch (kind) {
    case 'MoveCall':
      return { MoveCall: readMoveCall(reader, readArguments) };
    case 'TransferObjects': {
      const [objects, address] = [readArguments(), readArgument(reader)];
      note(address, 'address', types);
      return { TransferObjects: [objects, address] };
    }
    case 'SplitCoins': {
      const [coin, amounts] = [readArgument(reader), readArguments()];
      for (const amount of amounts) note(amount, 'u64', types);
      return { SplitCoins: [coin, amounts] };
    }
    case 'MergeCoins':
      return { MergeCoins: [readArgument(reader), readArguments()] };
    case 'Publish':
      return { Publish: readDependencies(reader) };
    case 'MakeMoveVec': {
      const type = reader.readBoolean() ? readTypeText(reader, withoutLeadingZeros) : null;
      return { MakeMoveVec: [type, readArguments()] };
    }
    case 'Upgrade':
      return {
        Upgrade: [readDependencies(reader), reader.readAddress(), readArgument(reader)],
      };
  }
}

function note(argument: Argument, type: PureType, types: Map<number, PureType>): void {
  if (typeof argument === 'object' && 'Input' in argument) types.set(argument.Input, type);
}

function readMoveCall(reader: StrictReader, readArguments: () => Argument[]): object {
  const call = {
    package: reader.readAddress(),
    module: reader.readText(),
    function: reader.readText(),
  };
  const type_arguments = list(reader, () => readTypeText(reader, withoutLeadingZeros));
  const values = readArguments();
  return {
    ...call,
    ...(type_arguments.length > 0 && { type_arguments }),
    ...(values.length > 0 && { arguments: values }),
  };
}

/** The packages with which modules are linked, after the modules. */
function readDependencies(reader: StrictReader): string[] {
  list(reader, () => reader.skipBytes());
  return list(reader, () => reader.readAddress());
}

function readArgument(reader: StrictReader): Argument {
  switch (reader.readVariant(4, 'Argument')) {
    case 0:
      return 'GasCoin';
    case 1:
      return { Input: reader.readU16() };
    case 2:
      return { Result: reader.readU16() };
    default:
      return { NestedResult: [reader.readU16(), reader.readU16()] };
  }
}

const NO_ADDRESS = `0x${'0'.repeat(64)}`;
const NO_DIGEST = '1'.repeat(32);

/** The ledger's `TransactionKind`, in the order of its variants. */
const KINDS = [
  'ProgrammableTransaction',
  'Genesis',
  'ConsensusCommitPrologueV1',
  'AuthenticatorStateUpdateV1',
  'EndOfEpochTransaction',
  'RandomnessStateUpdate',
];

/**
 * A transaction of the ledger itself in the JSON of nodes (`transaction.data`). It has neither a sender nor
 * gas; the ledger writes zeros. Contents in a form that this version does not know are left out, since
 * nothing depends on them.
 */
function showSystemTransaction(bytes: Uint8Array) {
  const kind = KINDS[bytes[1]!] ?? 'Other';
  const payment = [{ objectId: NO_ADDRESS, version: 0, digest: NO_DIGEST }];
  return {
    messageVersion: 'v1',
    transaction: { kind, ...readContents(kind, bytes) },
    sender: NO_ADDRESS,
    gasData: { payment, owner: NO_ADDRESS, price: '1', budget: '0' },
  };
}

function readContents(kind: string, bytes: Uint8Array): object {
  const reader = new StrictReader(bytes.subarray(2));
  try {
    if (kind === 'ConsensusCommitPrologueV1') return readPrologue(reader);
    if (kind === 'EndOfEpochTransaction') return { transactions: list(reader, readEpochEnd) };
    if (kind === 'RandomnessStateUpdate') return readRandomness(reader);
  } catch {
    // The kind alone.
  }
  return {};
}

const u64 = (reader: StrictReader) => String(reader.readU64());

function readPrologue(reader: StrictReader): object {
  return {
    epoch: u64(reader),
    round: u64(reader),
    sub_dag_index: reader.readBoolean() ? u64(reader) : null,
    commit_timestamp_ms: u64(reader),
    consensus_commit_digest: reader.readDigest(),
    consensus_determined_version_assignments: readAssignments(reader),
  };
}

function readAssignments(reader: StrictReader): object {
  reader.readVariant(1, 'ConsensusDeterminedVersionAssignments');
  const CancelledTransactions = list(reader, () => [
    reader.readDigest(),
    list(reader, () => [reader.readAddress(), Number(reader.readU64())]),
  ]);
  return { CancelledTransactions };
}

function readRandomness(reader: StrictReader): object {
  return {
    epoch: u64(reader),
    randomness_round: u64(reader),
    random_bytes: [...reader.readBytes(reader.readLength())],
  };
}

/** Nodes show the second to the fourth version under one name. */
function readEpochEnd(reader: StrictReader): object {
  const version = 1 + reader.readVariant(4, 'EndOfEpochTransactionKind');
  const epoch = u64(reader);
  // The version of the protocol.
  reader.readU64();
  const change = {
    epoch,
    storage_charge: u64(reader),
    computation_charge: u64(reader),
    ...(version > 1 && { computation_charge_burned: u64(reader) }),
    storage_rebate: u64(reader),
  };
  // The fee that is not refundable.
  reader.readU64();
  const epoch_start_timestamp_ms = u64(reader);
  list(reader, skipSystemPackage);
  const fields = {
    ...change,
    epoch_start_timestamp_ms,
    ...(version > 2 && { eligible_active_validators: list(reader, u64) }),
    ...(version > 3 && { scores: list(reader, u64) }),
  };
  // Whether rewards follow the scores.
  if (version > 3) reader.readBoolean();
  return version === 1 ? { ChangeEpoch: fields } : { ChangeEpochV2: fields };
}

function skipSystemPackage(reader: StrictReader): void {
  reader.readU64();
  list(reader, () => reader.skipBytes());
  list(reader, () => reader.readAddress());
}
