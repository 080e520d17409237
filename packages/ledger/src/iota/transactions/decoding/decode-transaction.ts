import {
  type CommandKind,
  commandKinds,
  type DecodedTransaction,
  type MoveCall,
  type SharedInput,
} from '../../../decoded-transaction.js';
import type { RawArgument } from '../../../call-argument.js';
import { InvalidTransactionBytes } from '../../../invalid-transaction-bytes.js';
import type { ObjectReference } from '../../../object-reference.js';
import {
  MAX_ARGUMENTS,
  MAX_COMMANDS,
  MAX_GAS_COINS,
  MAX_NAMED_OBJECTS,
  MAX_TRANSACTION_BYTES,
  MAX_TYPE_ARGUMENTS,
} from '../../limits.js';
import { StrictReader } from './strict-reader.js';
import { transactionDigest } from './transaction-digest.js';

/** The ledger's `TransactionData` and `TransactionExpiration`, in the order of their variants. */
const VERSIONS = 1;
const EXPIRATIONS = 2;
const NEVER = 0;

/**
 * Decodes a user's transaction. The checked transaction must be the signed one: bytes that are not
 * in canonical form are refused. Throws `InvalidTransactionBytes`.
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  checkSize(bytes);
  const reader = new StrictReader(bytes);
  reader.readVariant(VERSIONS, 'TransactionData');
  const { inputs, commands } = readProgram(reader);
  const sender = reader.readAddress();
  const gasPayment = readPayment(reader);
  const gasOwner = reader.readAddress();
  const gasPrice = reader.readU64();
  const gasBudget = reader.readU64();
  const expires = reader.readVariant(EXPIRATIONS, 'TransactionExpiration') !== NEVER;
  const expirationEpoch = expires ? reader.readU64() : null;
  reader.expectEnd();
  return {
    bytes,
    digest: transactionDigest(bytes),
    sender,
    gasOwner,
    gasPayment,
    gasPrice,
    gasBudget,
    expirationEpoch,
    ownedInputs: inputs.owned,
    receivedInputs: inputs.received,
    sharedInputs: inputs.shared,
    ...commands,
  };
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new InvalidTransactionBytes('empty');
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new InvalidTransactionBytes(
      `${bytes.length} bytes exceed the ledger's limit of ${MAX_TRANSACTION_BYTES}`,
    );
  }
}

function readPayment(reader: StrictReader): ObjectReference[] {
  const payment: ObjectReference[] = [];
  const count = reader.readCount(MAX_GAS_COINS, 'gas coins');
  for (let left = count; left > 0; left--) payment.push(readReference(reader));
  return payment;
}

/** The ledger's `TransactionKind`, in the order of its variants. */
const KINDS = 4;
const PROGRAMMABLE = 0;

/**
 * Reads the effect of a transaction. Throws `InvalidTransactionBytes`, also for kinds that only
 * validators may send.
 */
function readProgram(
  reader: StrictReader,
  calls?: RawArgument[][],
): {
  readonly inputs: TransactionInputs;
  readonly commands: TransactionCommands;
} {
  if (reader.readVariant(KINDS, 'TransactionKind') !== PROGRAMMABLE) {
    throw new InvalidTransactionBytes('only programmable transactions can be sponsored');
  }
  const inputs = readInputs(reader, calls && []);
  return { inputs, commands: readCommands(reader, inputs, calls) };
}

const VERSION_BYTES = 1;

/**
 * The bytes of the ledger's `TransactionKind` within those of a decoded transaction: its effect,
 * without the payment.
 */
export function readKindBytes(bytes: Uint8Array): Uint8Array {
  const reader = new StrictReader(bytes);
  reader.skip(VERSION_BYTES);
  readProgram(reader);
  return bytes.subarray(VERSION_BYTES, reader.position);
}

/** The arguments of each Move call of a decoded transaction, in order. */
export function readCallArguments(bytes: Uint8Array): RawArgument[][] {
  const reader = new StrictReader(bytes);
  reader.skip(VERSION_BYTES);
  const calls: RawArgument[][] = [];
  readProgram(reader, calls);
  return calls;
}

/** The ledger's `CallArg` and `ObjectArg`, in the order of its variants. */
const CALL_ARGUMENTS = 2;
const PURE = 0;
const OBJECT_ARGUMENTS = 3;
const IMMUTABLE_OR_OWNED = 0;
const SHARED = 1;

const ID_AND_VERSION_BYTES = 32 + 8;

/** Inputs of a programmable transaction. */
interface TransactionInputs {
  readonly owned: readonly ObjectReference[];
  readonly received: readonly ObjectReference[];
  readonly shared: readonly SharedInput[];
  /** By position among all inputs; null for an input that is not an object. */
  readonly objectIds: readonly (string | null)[];
  /** All of them, as arguments; undefined: not asked for. */
  readonly raw: readonly RawArgument[] | undefined;
}

/** `raw`: receives the inputs as arguments. Throws `InvalidTransactionBytes`. */
function readInputs(reader: StrictReader, raw?: RawArgument[]): TransactionInputs {
  const owned: ObjectReference[] = [];
  const received: ObjectReference[] = [];
  const shared: SharedInput[] = [];
  const objectIds: (string | null)[] = [];
  let objects = 0;
  for (let left = reader.readLength(); left > 0; left--) {
    if (reader.readVariant(CALL_ARGUMENTS, 'CallArg') === PURE) {
      if (raw) raw.push({ kind: 'pure', bytes: reader.readBytes(reader.readLength()) });
      else reader.skipBytes();
      objectIds.push(null);
      continue;
    }
    objects += 1;
    if (objects > MAX_NAMED_OBJECTS) {
      skipObject(reader);
      continue;
    }
    const kind = reader.readVariant(OBJECT_ARGUMENTS, 'ObjectArg');
    if (kind === SHARED) {
      const input = readShared(reader);
      shared.push(input);
      objectIds.push(input.objectId);
      const use = input.mutable ? 'shared-mutable' : 'shared';
      raw?.push({ kind: 'object', objectId: input.objectId, use });
    } else {
      const reference = readReference(reader);
      (kind === IMMUTABLE_OR_OWNED ? owned : received).push(reference);
      objectIds.push(reference.objectId);
      const use = kind === IMMUTABLE_OR_OWNED ? 'owned' : 'received';
      raw?.push({ kind: 'object', objectId: reference.objectId, use });
    }
  }
  if (objects > MAX_NAMED_OBJECTS) {
    throw new InvalidTransactionBytes(
      `references too many objects and packages: ${objects} exceed the limit of ${MAX_NAMED_OBJECTS}`,
    );
  }
  return { owned, received, shared, objectIds, raw };
}

/** Above the limit they are only counted, to save the conversions to text. */
function skipObject(reader: StrictReader): void {
  const kind = reader.readVariant(OBJECT_ARGUMENTS, 'ObjectArg');
  reader.skip(ID_AND_VERSION_BYTES);
  if (kind === SHARED) reader.readBoolean();
  else reader.skipBytes();
}

/** Throws `InvalidTransactionBytes`. */
function readReference(reader: StrictReader): ObjectReference {
  const objectId = reader.readAddress();
  const version = reader.readVersion();
  return { objectId, version, digest: reader.readDigest() };
}

function readShared(reader: StrictReader): SharedInput {
  const objectId = reader.readAddress();
  const initialSharedVersion = reader.readVersion();
  return { objectId, initialSharedVersion, mutable: reader.readBoolean() };
}

/** The ledger's `Argument`, in the order of its variants. */
const ARGUMENTS = 4;
const GAS_COIN = 0;
const INPUT = 1;
const NESTED_RESULT = 3;
const OPTION = 2;
const NONE = 0;
/**
 * One use of the gas coin is a reason to refuse a transaction; a text for each of thousands would take long.
 */
const NAMED_USES = 8;
const NO_INPUT: RawArgument = { kind: 'pure', bytes: new Uint8Array(0) };

/** The contents of a programmable transaction's commands, in the form of `DecodedTransaction`. */
interface TransactionCommands {
  readonly commandKinds: readonly CommandKind[];
  readonly moveCalls: readonly MoveCall[];
  readonly vectorTypes: readonly (string | null)[];
  readonly packages: readonly string[];
  readonly gasCoinUses: readonly string[];
}

/** `calls`: receives the arguments of each Move call. Throws `InvalidTransactionBytes`. */
function readCommands(
  reader: StrictReader,
  inputs: TransactionInputs,
  calls?: RawArgument[][],
): TransactionCommands {
  const commands = new CommandReader(reader, inputs, calls);
  for (let left = reader.readCount(MAX_COMMANDS, 'commands'); left > 0; left--) {
    commands.readCommand();
  }
  return { ...commands.found, packages: [...commands.packages] };
}

class CommandReader {
  readonly packages = new Set<string>();
  readonly found = {
    commandKinds: [] as CommandKind[],
    moveCalls: [] as MoveCall[],
    vectorTypes: [] as (string | null)[],
    gasCoinUses: [] as string[],
  };

  constructor(
    private readonly reader: StrictReader,
    private readonly inputs: TransactionInputs,
    private readonly calls?: RawArgument[][],
  ) {}

  /** Fields in the order of the ledger's `Command`. */
  readCommand(): void {
    const { reader, packages, found } = this;
    const kind = commandKinds[reader.readVariant(commandKinds.length, 'Command')]!;
    found.commandKinds.push(kind);
    switch (kind) {
      case 'MoveCall':
        found.moveCalls.push(this.readMoveCall());
        break;
      case 'TransferObjects':
        this.readArguments('object');
        this.readArgument('address');
        break;
      case 'SplitCoins':
        this.readArgument('coin');
        this.readArguments('amount');
        break;
      case 'MergeCoins':
        this.readArgument('destination');
        this.readArguments('source');
        break;
      case 'Publish':
        this.readModulesAndDependencies();
        break;
      case 'MakeMoveVec': {
        const isNone = reader.readVariant(OPTION, 'Option') === NONE;
        found.vectorTypes.push(isNone ? null : readType(reader, packages));
        this.readArguments('element');
        break;
      }
      case 'Upgrade':
        this.readModulesAndDependencies();
        packages.add(reader.readAddress());
        this.readArgument('ticket');
        break;
    }
  }

  private readMoveCall(): MoveCall {
    const { reader, packages } = this;
    const packageId = reader.readAddress();
    packages.add(packageId);
    const module = reader.readIdentifier();
    const name = reader.readIdentifier();
    const typeArguments = readTypes(reader, packages);
    const raw: RawArgument[] | undefined = this.calls && [];
    if (raw) this.calls?.push(raw);
    const objects = this.readArguments('argument', raw);
    return { packageId, module, function: name, typeArguments, objects };
  }

  private readModulesAndDependencies(): void {
    const { reader, packages } = this;
    for (let left = reader.readLength(); left > 0; left--) reader.skipBytes();
    for (let left = reader.readLength(); left > 0; left--) packages.add(reader.readAddress());
  }

  /** The ids of the objects among them. `raw`: receives all of them. */
  private readArguments(name: string, raw?: RawArgument[]): string[] {
    const objects: string[] = [];
    const count = this.reader.readCount(MAX_ARGUMENTS, 'arguments of a command');
    for (let index = 0; index < count; index++) {
      const objectId = this.readArgument(name, index, raw);
      if (objectId !== null) objects.push(objectId);
    }
    return objects;
  }

  /** The id of the input object; null for any other argument. */
  private readArgument(name: string, index?: number, raw?: RawArgument[]): string | null {
    const { reader, inputs } = this;
    const kind = reader.readVariant(ARGUMENTS, 'Argument');
    if (kind === GAS_COIN) {
      if (this.found.gasCoinUses.length < NAMED_USES)
        this.noteGasCoinUse(index === undefined ? name : `${name} ${index}`);
      raw?.push({ kind: 'gas' });
      return null;
    }
    const place = reader.readU16();
    const result = kind === NESTED_RESULT ? reader.readU16() : 0;
    if (kind !== INPUT) {
      raw?.push({ kind: 'result', command: place, index: result });
      return null;
    }
    // The ledger refuses an input that does not exist.
    raw?.push(inputs.raw?.[place] ?? NO_INPUT);
    return inputs.objectIds[place] ?? null;
  }

  private noteGasCoinUse(position: string): void {
    const { commandKinds: kinds, gasCoinUses } = this.found;
    gasCoinUses.push(`command ${kinds.length - 1} (${kinds.at(-1)}), ${position}`);
  }
}

/** Limit of nested containers in the ledger's own decoder (`MAX_CONTAINER_DEPTH` of the `bcs` crate). */
const DEEPEST = 500;

/**
 * A type tag as text, addresses in full form, without spaces; adds the packages that it names.
 * Throws `InvalidTransactionBytes`.
 */
function readType(reader: StrictReader, packages: Set<string>, depth = 0): string {
  if (depth > DEEPEST) throw new InvalidTransactionBytes('types are nested too deeply');
  const type = reader.readTypeTag();
  if (type === 'vector') return `vector<${readType(reader, packages, depth + 1)}>`;
  if (type !== 'struct') return type;
  const address = reader.readAddress();
  packages.add(address);
  const name = `${address}::${reader.readIdentifier()}::${reader.readIdentifier()}`;
  const parameters = readTypes(reader, packages, depth + 1);
  return parameters.length === 0 ? name : `${name}<${parameters.join(',')}>`;
}

/** Reads a counted list of type tags. Throws `InvalidTransactionBytes`. */
function readTypes(reader: StrictReader, packages: Set<string>, depth = 0): string[] {
  const types: string[] = [];
  for (let left = reader.readCount(MAX_TYPE_ARGUMENTS, 'type arguments'); left > 0; left--) {
    types.push(readType(reader, packages, depth));
  }
  return types;
}
