import type { SharedInput } from '../../../decoded-transaction.js';
import { InvalidTransactionBytes } from '../../../ledger.js';
import type { ObjectReference } from '../../../object-reference.js';
import { MAX_NAMED_OBJECTS } from '../../limits.js';
import type { StrictReader } from './strict-reader.js';

/** The ledger's `CallArg` and `ObjectArg`, in the order of its variants. */
const CALL_ARGUMENTS = 2;
const PURE = 0;
const OBJECT_ARGUMENTS = 3;
const IMMUTABLE_OR_OWNED = 0;
const SHARED = 1;

const ID_AND_VERSION_BYTES = 32 + 8;

/** Inputs of a programmable transaction. */
export interface TransactionInputs {
  readonly owned: readonly ObjectReference[];
  readonly received: readonly ObjectReference[];
  readonly shared: readonly SharedInput[];
  /** By position among all inputs; null for an input that is not an object. */
  readonly objectIds: readonly (string | null)[];
}

/** Throws `InvalidTransactionBytes`. */
export function readInputs(reader: StrictReader): TransactionInputs {
  const owned: ObjectReference[] = [];
  const received: ObjectReference[] = [];
  const shared: SharedInput[] = [];
  const objectIds: (string | null)[] = [];
  let objects = 0;
  for (let left = reader.readLength(); left > 0; left--) {
    if (reader.readVariant(CALL_ARGUMENTS, 'CallArg') === PURE) {
      reader.skipBytes();
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
    } else {
      const reference = readReference(reader);
      (kind === IMMUTABLE_OR_OWNED ? owned : received).push(reference);
      objectIds.push(reference.objectId);
    }
  }
  if (objects > MAX_NAMED_OBJECTS) {
    throw new InvalidTransactionBytes(
      `references too many objects and packages: ${objects} exceed the limit of ${MAX_NAMED_OBJECTS}`,
    );
  }
  return { owned, received, shared, objectIds };
}

/** Above the limit they are only counted, to save the conversions to text. */
function skipObject(reader: StrictReader): void {
  const kind = reader.readVariant(OBJECT_ARGUMENTS, 'ObjectArg');
  reader.skip(ID_AND_VERSION_BYTES);
  if (kind === SHARED) reader.readBoolean();
  else reader.skipBytes();
}

/** Throws `InvalidTransactionBytes`. */
export function readReference(reader: StrictReader): ObjectReference {
  const objectId = reader.readAddress();
  const version = reader.readVersion();
  return { objectId, version, digest: reader.readDigest() };
}

function readShared(reader: StrictReader): SharedInput {
  const objectId = reader.readAddress();
  const initialSharedVersion = reader.readVersion();
  return { objectId, initialSharedVersion, mutable: reader.readBoolean() };
}
