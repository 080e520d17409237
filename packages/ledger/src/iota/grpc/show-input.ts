import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { argumentJson, commandJson } from '../transactions/decoding/transaction-json.js';
import { showSystemTransaction } from './show-system-transaction.js';
import { typeArgumentText } from './type-texts.js';

type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Input = Program['inputs'][number];
type Command = Program['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];
type Reference = TransactionData['gasData']['payment'][number];

/** The fields that are read; all others pass through. */
export interface ShownData {
  readonly sender: string;
  readonly gasData: { readonly payment: readonly object[]; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/**
 * A transaction in the JSON of nodes (`transaction.data`), from its BCS. Over gRPC nodes do not describe functions, so
 * the pure arguments of Move calls stay bytes. Throws `Error` for bytes that are no transaction.
 */
export function showTransactionData(bytes: Uint8Array): ShownData {
  const [version, kind] = bytes;
  if (version === 0 && kind !== undefined && kind !== 0) return showSystemTransaction(bytes);
  const { sender, gasData, kind: content } = bcs.TransactionData.parse(bytes).V1;
  const { inputs, commands } = content.ProgrammableTransaction!;
  const types = pureTypes(commands);
  return {
    messageVersion: 'v1',
    transaction: {
      kind: 'ProgrammableTransaction',
      inputs: inputs.map((input, index) => showInput(input, types.get(index) ?? null)),
      transactions: commands.map(showCommand),
    },
    sender,
    gasData: {
      payment: gasData.payment.map(showReference),
      owner: gasData.owner,
      price: String(gasData.price),
      budget: String(gasData.budget),
    },
  };
}

/** The types of pure inputs that their use in the ledger's own commands shows. */
function pureTypes(commands: readonly Command[]): Map<number, 'u64' | 'address'> {
  const types = new Map<number, 'u64' | 'address'>();
  const note = (argument: Argument, type: 'u64' | 'address') => {
    if (argument.$kind === 'Input') types.set(argument.Input, type);
  };
  for (const { SplitCoins: split, TransferObjects: transfer } of commands) {
    for (const amount of split?.amounts ?? []) note(amount, 'u64');
    if (transfer) note(transfer.address, 'address');
  }
  return types;
}

function showInput(input: Input, valueType: 'u64' | 'address' | null): object {
  if (input.Pure) {
    const bytes = fromBase64(input.Pure.bytes);
    return { type: 'pure', valueType, value: showPure(bytes, valueType) };
  }
  const object = input.Object;
  if (object?.SharedObject) {
    const { objectId, initialSharedVersion, mutable } = object.SharedObject;
    return {
      type: 'object',
      objectType: 'sharedObject',
      objectId,
      initialSharedVersion: String(initialSharedVersion),
      mutable,
    };
  }
  const objectType = object?.Receiving ? 'receiving' : 'immOrOwnedObject';
  const { objectId, version, digest } = object.Receiving ?? object.ImmOrOwnedObject;
  return { type: 'object', objectType, objectId, version: String(version), digest };
}

function showPure(bytes: Uint8Array, type: 'u64' | 'address' | null): unknown {
  try {
    if (type === 'u64') return bcs.U64.parse(bytes);
    if (type === 'address') return bcs.Address.parse(bytes);
  } catch {
    // Another use of the input gives it another type.
  }
  return [...bytes];
}

/** Nodes leave out empty lists of a Move call, and the modules of a package. */
function showCommand(command: Command): unknown {
  const { MoveCall: call, Publish: published, Upgrade: upgraded, MakeMoveVec: vector } = command;
  if (published) return { Publish: published.dependencies };
  if (upgraded) {
    const { dependencies, package: packageId, ticket } = upgraded;
    return { Upgrade: [dependencies, packageId, argumentJson(ticket)] };
  }
  if (vector) {
    const type = vector.type && typeArgumentText(vector.type);
    return { MakeMoveVec: [type, vector.elements.map(argumentJson)] };
  }
  if (!call) return commandJson(command);
  const { package: packageId, module, function: name, typeArguments, arguments: values } = call;
  return {
    MoveCall: {
      package: packageId,
      module,
      function: name,
      ...(typeArguments.length > 0 && { type_arguments: typeArguments.map(typeArgumentText) }),
      ...(values.length > 0 && { arguments: values.map(argumentJson) }),
    },
  };
}

function showReference({ objectId, version, digest }: Reference): object {
  return { objectId, version: Number(version), digest };
}
