import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { argumentJson, commandJson } from '../transactions/decoding/transaction-json.js';

type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Input = Program['inputs'][number];
type Command = Program['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];
type Reference = TransactionData['gasData']['payment'][number];

/** Names of the first kinds in BCS; the SDK reads programs only. */
const KINDS = [
  'ProgrammableTransaction',
  'Genesis',
  'ConsensusCommitPrologueV1',
  'AuthenticatorStateUpdateV1',
  'EndOfEpochTransaction',
  'RandomnessStateUpdate',
];
const NO_ADDRESS = `0x${'0'.repeat(64)}`;
const NO_DIGEST = '1'.repeat(32);

/**
 * A transaction in the JSON of nodes (`transaction.data`), from its BCS. Over gRPC nodes do not describe functions, so
 * the pure arguments of Move calls stay bytes. Throws `Error` for bytes that are no transaction.
 */
export function showTransactionData(bytes: Uint8Array): object {
  const [version, kind] = bytes;
  if (version === 0 && kind !== undefined && kind !== 0) return showSystemTransaction(kind);
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

/** Transactions of the ledger itself have neither a sender nor gas; the ledger writes zeros. */
function showSystemTransaction(kind: number): object {
  const payment = [{ objectId: NO_ADDRESS, version: 0, digest: NO_DIGEST }];
  return {
    messageVersion: 'v1',
    transaction: { kind: KINDS[kind] ?? 'Other' },
    sender: NO_ADDRESS,
    gasData: { payment, owner: NO_ADDRESS, price: '1', budget: '0' },
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
  const { MoveCall: call, Publish: published, Upgrade: upgraded } = command;
  if (published) return { Publish: published.dependencies };
  if (upgraded) {
    const { dependencies, package: packageId, ticket } = upgraded;
    return { Upgrade: [dependencies, packageId, argumentJson(ticket)] };
  }
  if (!call) return commandJson(command);
  const { package: packageId, module, function: name, typeArguments, arguments: values } = call;
  return {
    MoveCall: {
      package: packageId,
      module,
      function: name,
      ...(typeArguments.length > 0 && { type_arguments: typeArguments }),
      ...(values.length > 0 && { arguments: values.map(argumentJson) }),
    },
  };
}

function showReference({ objectId, version, digest }: Reference): object {
  return { objectId, version: Number(version), digest };
}
