import { bcs } from '@iota/iota-sdk/bcs';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DecodedTransaction, SharedInput } from '../../../decoded-transaction.js';
import type { ObjectReference } from '../../../object-reference.js';
import { BoundedReader } from '../../signatures/bounded-reader.js';
import { transactionDigest } from './transaction-digest.js';

type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Command = Program['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];

const MAX_BYTES = 1_000_000;
/** Uses of the gas coin that a decoded transaction names. */
const NAMED_USES = 8;
const NAME = /^(?:[a-z]\w*|_\w+)$/i;
const ADDRESS = /^0x[0-9a-f]{64}$/;

/**
 * The reference for `decodeTransaction`: the SDK reads the bytes and writes them again, and both
 * must be equal. Throws for anything else, and for names that Move does not allow.
 */
export function decodeWithSdk(bytes: Uint8Array): DecodedTransaction {
  const data = bcs.TransactionData.read(new BoundedReader(bytes));
  const again = bcs.TransactionData.serialize(data, { maxSize: MAX_BYTES }).toBytes();
  if (Buffer.compare(again, bytes) !== 0) throw new Error('not canonical');
  const { kind, sender, gasData, expiration } = data.V1;
  const program = kind.ProgrammableTransaction;
  if (!program) throw new Error('not programmable');
  const { commands, inputs } = program;
  const objects = inputs.flatMap((input) => (input.Object ? [input.Object] : []));
  return {
    bytes,
    digest: transactionDigest(bytes),
    sender,
    gasOwner: gasData.owner,
    gasPayment: gasData.payment.map(toReference),
    gasPrice: BigInt(gasData.price),
    gasBudget: BigInt(gasData.budget),
    expirationEpoch: expiration.Epoch == null ? null : BigInt(expiration.Epoch),
    ownedInputs: objects.flatMap(({ ImmOrOwnedObject: one }) => (one ? [toReference(one)] : [])),
    receivedInputs: objects.flatMap(({ Receiving: one }) => (one ? [toReference(one)] : [])),
    sharedInputs: objects.flatMap(({ SharedObject: one }) => (one ? [toShared(one)] : [])),
    commandKinds: commands.map((command) => command.$kind),
    moveCalls: commands.flatMap(({ MoveCall: call }) =>
      call
        ? {
            packageId: call.package,
            module: nameOf(call.module),
            function: nameOf(call.function),
            typeArguments: call.typeArguments.map(typeOf),
            objects: objectsAmong(call.arguments, inputs),
          }
        : [],
    ),
    vectorTypes: commands.flatMap(({ MakeMoveVec: vector }) =>
      vector ? [vector.type === null ? null : typeOf(vector.type)] : [],
    ),
    packages: [...new Set(commands.flatMap(packagesOf))],
    gasCoinUses: commands.flatMap(gasCoinUsesOf).slice(0, NAMED_USES),
  };
}

function nameOf(name: string): string {
  if (NAME.test(name)) return name;
  throw new Error(`${name} is not a name`);
}

function typeOf(type: string): string {
  const text = type.replaceAll(', ', ',');
  for (const part of text.split(/::|[<>,]+/)) {
    if (part !== '' && !ADDRESS.test(part)) nameOf(part);
  }
  return text;
}

function objectsAmong(values: readonly Argument[], inputs: Program['inputs']): string[] {
  return values.flatMap((value) => {
    const object = value.$kind === 'Input' ? inputs[value.Input]?.Object : null;
    if (!object) return [];
    const { ImmOrOwnedObject: owned, Receiving: received, SharedObject: shared } = object;
    return [normalizeIotaAddress((owned ?? received ?? shared).objectId)];
  });
}

function packagesOf(command: Command): string[] {
  const within = (type: string) => type.match(/(?<!\w)0x[0-9a-f]{64}(?=::)/g) ?? [];
  switch (command.$kind) {
    case 'MoveCall':
      return [command.MoveCall.package, ...command.MoveCall.typeArguments.flatMap(within)];
    case 'MakeMoveVec':
      return within(command.MakeMoveVec.type ?? '');
    case 'Publish':
      return command.Publish.dependencies;
    case 'Upgrade':
      return [...command.Upgrade.dependencies, command.Upgrade.package];
    default:
      return [];
  }
}

function gasCoinUsesOf(command: Command, place: number): string[] {
  return Object.entries(argumentsOf(command)).flatMap(([position, argument]) =>
    argument.GasCoin ? [`command ${place} (${command.$kind}), ${position}`] : [],
  );
}

function argumentsOf(command: Command): Record<string, Argument> {
  const list = (name: string, some: readonly Argument[]) =>
    Object.fromEntries(some.map((argument, index) => [`${name} ${index}`, argument]));
  switch (command.$kind) {
    case 'MoveCall':
      return list('argument', command.MoveCall.arguments);
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      return { ...list('object', objects), address };
    }
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      return { coin, ...list('amount', amounts) };
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins;
      return { destination, ...list('source', sources) };
    }
    case 'MakeMoveVec':
      return list('element', command.MakeMoveVec.elements);
    case 'Upgrade':
      return { ticket: command.Upgrade.ticket };
    case 'Publish':
      return {};
  }
}

function toReference({ objectId, version, digest }: TransactionData['gasData']['payment'][number]) {
  return { objectId, version: toVersion(version), digest } satisfies ObjectReference;
}

function toShared(shared: {
  objectId: string;
  initialSharedVersion: string | number;
  mutable: boolean;
}): SharedInput {
  return { ...shared, initialSharedVersion: toVersion(shared.initialSharedVersion) };
}

function toVersion(version: string | number): number {
  if (Number.isSafeInteger(Number(version))) return Number(version);
  throw new Error('the version is out of range');
}
