import type { StrictReader } from '../transactions/decoding/strict-reader.js';

/** Why a transaction failed, in the words of nodes. */
export interface ExecutionFailure {
  readonly error: string;
  /** Where Move has aborted, and the code; null for another error. */
  readonly abort: string | null;
  /** Position of the command; null for a failure of the whole transaction. */
  readonly command: bigint | null;
}

/**
 * The text of a failure over JSON-RPC. Nodes count the commands of executed transactions from one, and those
 * of simulated transactions from zero. They name the constant of an abort code that has one, which takes the
 * package: here the code remains.
 */
export function describeFailure(
  { error, abort, command }: ExecutionFailure,
  isSimulated: boolean,
): string {
  if (command === null) return error;
  if (isSimulated) return `${error} in command ${command}`;
  return `Error in ${ordinal(command + 1n)} command, ${abort ?? error}`;
}

/** As nodes write it, for whom 11 ends as 1. */
function ordinal(position: bigint): string {
  return `${position}${ENDINGS[String(position % 10n)] ?? 'th'}`;
}

const ENDINGS: Readonly<Record<string, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

/** Throws `Error` for bytes that are not a failure. */
export function readFailure(reader: StrictReader): ExecutionFailure {
  const { error, abort } = readError(reader);
  return { error, abort, command: reader.readBoolean() ? reader.readU64() : null };
}

function readError(reader: StrictReader): Pick<ExecutionFailure, 'error' | 'abort'> {
  const variant = reader.readVariant(ERRORS.length, 'ExecutionFailureStatus');
  if (variant !== MOVE_ABORT) return { error: readText(ERRORS, variant, reader), abort: null };
  const location = readLocation(reader);
  const code = reader.readU64();
  const { place, instruction } = location;
  return {
    error: `Move Runtime Abort. Location: ${describeLocation(location)}, Abort Code: ${code}`,
    abort: `from '0x${place}' (instruction ${instruction}), abort code: ${code}`,
  };
}

type Text = string | ((reader: StrictReader) => string);

function readText(texts: readonly Text[], variant: number, reader: StrictReader): string {
  const text = texts[variant]!;
  return typeof text === 'string' ? text : text(reader);
}

function sizes(reader: StrictReader, text: (size: bigint, most: bigint) => string): string {
  return text(reader.readU64(), reader.readU64());
}

interface Location {
  /** The module without `0x`, and the function where the node names it. */
  readonly place: string;
  /** Its index in the module. */
  readonly functionIndex: number;
  readonly isNamed: boolean;
  readonly instruction: number;
}

function readLocation(reader: StrictReader): Location {
  const module = `${reader.readAddress().slice(2)}::${reader.readText()}`;
  const functionIndex = reader.readU16();
  const instruction = reader.readU16();
  const isNamed = reader.readBoolean();
  const place = isNamed ? `${module}::${reader.readText()}` : module;
  return { place, functionIndex, isNamed, instruction };
}

function describeLocation({ place, functionIndex, isNamed, instruction }: Location): string {
  return isNamed
    ? `${place} (function index ${functionIndex}) at offset ${instruction}`
    : `${place} in function definition ${functionIndex} at offset ${instruction}`;
}

function readObjects(reader: StrictReader): string {
  let text = '';
  for (let left = reader.readLength(); left > 0; left--) text += `${reader.readAddress()}, `;
  return text;
}

const MOVE_ABORT = 12;

/** By the position of its variant in the ledger's `ExecutionFailureStatus`. */
const ERRORS: readonly Text[] = [
  'Insufficient Gas.',
  'Invalid Gas Object. Possibly not address-owned or possibly not an IOTA coin.',
  'INVARIANT VIOLATION.',
  'Attempted to used feature that is not supported yet',
  (reader) =>
    sizes(
      reader,
      (size, most) =>
        `Move object with size ${size} is larger than the maximum object size ${most}`,
    ),
  (reader) =>
    sizes(
      reader,
      (size, most) =>
        `Move package with size ${size} is larger than the maximum object size ${most}`,
    ),
  (reader) => `Circular Object Ownership, including object ${reader.readAddress()}.`,
  'Insufficient coin balance for operation.',
  'The coin balance overflows u64',
  'Publish Error, Non-zero Address. The modules in the package must have their self-addresses set to zero.',
  'IOTA Move Bytecode Verification Error. Please run the IOTA Move Verifier for more information.',
  (reader) => {
    const location = reader.readBoolean() ? describeLocation(readLocation(reader)) : 'UNKNOWN';
    return `Move Primitive Runtime Error. Location: ${location}. Arithmetic error, stack overflow, max value depth, etc.`;
  },
  // A Move abort, which `readError` reads.
  '',
  'Move Bytecode Verification Error. Please run the Bytecode Verifier for more information.',
  'MOVE VM INVARIANT VIOLATION.',
  'Function Not Found.',
  'Arity mismatch for Move function. The number of arguments does not match the number of parameters',
  'Type arity mismatch for Move function. Mismatch between the number of actual versus expected type arguments.',
  'Non Entry Function Invoked. Move Call must start with an entry function',
  (reader) => {
    const index = reader.readU16();
    const kind = reader.readVariant(ARGUMENT_ERRORS.length, 'CommandArgumentError');
    return `Invalid command argument at ${index}. ${readText(ARGUMENT_ERRORS, kind, reader)}`;
  },
  (reader) => {
    const index = reader.readU16();
    const kind = reader.readVariant(TYPE_ERRORS.length, 'TypeArgumentError');
    return `Error for type argument at index ${index}: ${TYPE_ERRORS[kind]}`;
  },
  (reader) =>
    `Unused result without the drop ability. Command result ${reader.readU16()}, return value ${reader.readU16()}`,
  (reader) =>
    `Invalid public Move function signature. Unsupported return type for return value ${reader.readU16()}`,
  'Invalid Transfer Object, object does not have public transfer.',
  (reader) =>
    sizes(
      reader,
      (size, most) => `Effects of size ${size} bytes too large. Limit is ${most} bytes`,
    ),
  'Publish/Upgrade Error, Missing dependency. A dependency of a published or upgraded package has not been assigned an on-chain address.',
  "Publish/Upgrade Error, Dependency downgrade. Indirect (transitive) dependency of published or upgraded package has been assigned an on-chain version that is less than the version required by one of the package's transitive dependencies.",
  (reader) => {
    const kind = reader.readVariant(UPGRADE_ERRORS.length, 'PackageUpgradeError');
    return `Invalid package upgrade. ${readText(UPGRADE_ERRORS, kind, reader)}`;
  },
  (reader) =>
    sizes(
      reader,
      (size, most) => `Written objects of ${size} bytes too large. Limit is ${most} bytes`,
    ),
  'Certificate is on the deny list',
  'IOTA Move Bytecode Verification Timeout. Please run the IOTA Move Verifier for more information.',
  'The shared object operation is not allowed.',
  'Certificate cannot be executed due to a dependency on a deleted shared object',
  (reader) =>
    `Certificate is cancelled due to congestion on shared objects: ${readObjects(reader)}.`,
  (reader) => `Address ${reader.readAddress()} is denied for coin ${reader.readText()}`,
  (reader) => `Coin type is globally paused for use: ${reader.readText()}`,
  'Certificate is cancelled because randomness could not be generated this epoch',
  (reader) =>
    `Certificate is cancelled due to congestion on shared objects: ${readObjects(reader)}. To give this certificate more priority to be executed, its gas price can be increased to at least ${reader.readU64()}.`,
  'A valid linkage was unable to be determined for the transaction',
];

const ARGUMENT_ERRORS: readonly Text[] = [
  'The type of the value does not match the expected type',
  'The argument cannot be deserialized into a value of the specified type',
  'The argument cannot be instantiated from raw bytes',
  'Invalid argument to private entry function. These functions cannot take arguments from other Move functions',
  (reader) => `Out of bounds access to input or result vector ${reader.readU16()}`,
  (reader) =>
    `Out of bounds secondary access to result vector ${reader.readU16()} at secondary index ${reader.readU16()}`,
  (reader) =>
    `Invalid usage of result ${reader.readU16()}, expected a single result but found either no return values or multiple.`,
  'Invalid taking of the Gas coin. It can only be used by-value with TransferObjects',
  'Invalid usage of value. Mutably borrowed values require unique usage. Immutably borrowed values cannot be taken or borrowed mutably. Taken values cannot be used again.',
  'Immutable objects cannot be passed by-value.',
  'Immutable objects cannot be passed by mutable reference, &mut.',
  'Shared object operations such a wrapping, freezing, or converting to owned are not allowed.',
];

const TYPE_ERRORS = [
  'A type was not found in the module specified.',
  'A type provided did not match the specified constraints.',
] as const;

const UPGRADE_ERRORS: readonly Text[] = [
  (reader) => `Unable to fetch package at ${reader.readAddress()}`,
  (reader) => `Object ${reader.readAddress()} is not a package`,
  'New package is incompatible with previous version',
  (reader) => {
    reader.skipBytes();
    return 'Digest in upgrade ticket and computed digest disagree';
  },
  (reader) => `Upgrade policy ${reader.readByte()} is not a valid upgrade policy`,
  (reader) =>
    `Package ID ${reader.readAddress()} does not match package ID in upgrade ticket ${reader.readAddress()}`,
];
