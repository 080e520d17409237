import { bcs } from '@iota/iota-sdk/bcs';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DecodedTransaction, SharedInput } from '../decoded-transaction.js';
import { InvalidTransactionBytes } from '../ledger-errors.js';
import type { ObjectReference } from '../object-reference.js';
import { BoundedReader } from './bounded-reader.js';
import { countObjectInputs } from './count-object-inputs.js';
import { findGasCoinUses } from './find-gas-coin-uses.js';
import { findInvalidIdentifier } from './find-invalid-identifier.js';
import { findPackages } from './find-packages.js';
import { transactionDigest } from './hash.js';
import { MAX_NAMED_OBJECTS, MAX_TRANSACTION_BYTES } from './limits.js';

type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Argument = NonNullable<Program['commands'][number]['MoveCall']>['arguments'][number];
type Reference = TransactionData['gasData']['payment'][number];
type Shared = Pick<SharedInput, 'objectId' | 'mutable'> & {
  readonly initialSharedVersion: string | number;
};

/**
 * Decodes a user's transaction. What is judged must be what is signed: bytes that do not serialise back to themselves
 * are refused. Throws `InvalidTransactionBytes`.
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const data = parse(bytes);
  const program = data.kind.ProgrammableTransaction;
  if (!program)
    throw new InvalidTransactionBytes('only programmable transactions can be sponsored');
  const invalid = findInvalidIdentifier(program.commands);
  if (invalid !== null) {
    throw new InvalidTransactionBytes(`${quote(invalid)} is not a Move identifier`);
  }
  const objects = program.inputs.flatMap((input) => (input.Object ? [input.Object] : []));
  return {
    bytes,
    digest: transactionDigest(bytes),
    sender: normalizeIotaAddress(data.sender),
    gasOwner: normalizeIotaAddress(data.gasData.owner),
    gasPayment: data.gasData.payment.map(toReference),
    gasPrice: BigInt(data.gasData.price),
    gasBudget: BigInt(data.gasData.budget),
    expirationEpoch: data.expiration.Epoch == null ? null : BigInt(data.expiration.Epoch),
    ownedInputs: objects.flatMap((object) =>
      object.ImmOrOwnedObject ? [toReference(object.ImmOrOwnedObject)] : [],
    ),
    receivedInputs: objects.flatMap((object) =>
      object.Receiving ? [toReference(object.Receiving)] : [],
    ),
    sharedInputs: objects.flatMap(({ SharedObject: shared }) =>
      shared ? [toSharedInput(shared)] : [],
    ),
    gasCoinUses: findGasCoinUses(program.commands),
    commandKinds: program.commands.map((command) => command.$kind),
    moveCalls: program.commands.flatMap(({ MoveCall: call }) =>
      call
        ? {
            packageId: normalizeIotaAddress(call.package),
            module: call.module,
            function: call.function,
            typeArguments: call.typeArguments.map(withoutSpaces),
            objects: objectsAmong(call.arguments, program.inputs),
          }
        : [],
    ),
    vectorTypes: program.commands.flatMap(({ MakeMoveVec: vector }) =>
      vector ? [vector.type === null ? null : withoutSpaces(vector.type)] : [],
    ),
    packages: findPackages(program.commands),
  };
}

const withoutSpaces = (type: string) => type.replaceAll(' ', '');

function objectsAmong(values: readonly Argument[], inputs: Program['inputs']): string[] {
  return values.flatMap((value) => {
    const object = value.$kind === 'Input' ? inputs[value.Input]?.Object : null;
    return object ? [normalizeIotaAddress(objectIdOf(object))] : [];
  });
}

function objectIdOf(object: NonNullable<Program['inputs'][number]['Object']>): string {
  switch (object.$kind) {
    case 'ImmOrOwnedObject':
      return object.ImmOrOwnedObject.objectId;
    case 'SharedObject':
      return object.SharedObject.objectId;
    case 'Receiving':
      return object.Receiving.objectId;
  }
}

function parse(bytes: Uint8Array): TransactionData {
  if (bytes.length === 0) throw new InvalidTransactionBytes('empty');
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new InvalidTransactionBytes(
      `${bytes.length} bytes exceed the ledger's limit of ${MAX_TRANSACTION_BYTES}`,
    );
  }
  const objects = countObjectInputs(bytes);
  if (objects > MAX_NAMED_OBJECTS) {
    throw new InvalidTransactionBytes(
      `references too many objects and packages: ${objects} exceed the limit of ${MAX_NAMED_OBJECTS}`,
    );
  }
  let data;
  let again;
  try {
    data = bcs.TransactionData.read(new BoundedReader(bytes));
    again = bcs.TransactionData.serialize(data, { maxSize: 2 * MAX_TRANSACTION_BYTES }).toBytes();
  } catch (cause) {
    throw new InvalidTransactionBytes(describe(cause), { cause });
  }
  if (!data.V1) throw new InvalidTransactionBytes('unsupported version of transaction data');
  if (Buffer.compare(again, bytes) !== 0) {
    throw new InvalidTransactionBytes('not in canonical form, or followed by further bytes');
  }
  return data.V1;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}

function describe(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/call stack/.test(text)) return 'types are nested too deeply';
  return text === '' || text.length > 200 ? 'malformed BCS' : text;
}

function toReference({ objectId, version, digest }: Reference): ObjectReference {
  return { objectId: normalizeIotaAddress(objectId), version: toVersion(version), digest };
}

function toSharedInput({ objectId, initialSharedVersion, mutable }: Shared): SharedInput {
  return {
    objectId: normalizeIotaAddress(objectId),
    initialSharedVersion: toVersion(initialSharedVersion),
    mutable,
  };
}

function toVersion(version: string | number): number {
  const sequence = Number(version);
  if (Number.isSafeInteger(sequence)) return sequence;
  throw new InvalidTransactionBytes(`object version ${version} is out of range`);
}
