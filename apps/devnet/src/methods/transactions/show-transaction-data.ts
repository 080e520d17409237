import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import type { EngineInterface, TransactionData } from '../../engine/engine-interface.js';
import { pureTypes } from './pure-types.js';

type Programmable = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Input = Programmable['inputs'][number];
type Command = Programmable['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];

/** Transaction data as a node shows it under `transaction.data` and a dry run's `input`. */
export function showTransactionData(data: TransactionData, engine: EngineInterface): object {
  const { sender, gasData } = data;
  return {
    messageVersion: 'v1',
    transaction: showKind(data, engine),
    sender,
    gasData: {
      payment: gasData.payment.map(({ objectId, version, digest }) => ({
        objectId,
        version: Number(version),
        digest,
      })),
      owner: gasData.owner,
      price: String(gasData.price),
      budget: String(gasData.budget),
    },
  };
}

function showKind({ kind }: TransactionData, engine: EngineInterface): object {
  const programmable = kind.ProgrammableTransaction;
  if (!programmable) return { kind: kind.$kind };
  const { inputs, commands } = programmable;
  const types = pureTypes(commands, engine);
  return {
    kind: 'ProgrammableTransaction',
    inputs: inputs.map((input, index) => showInput(input, types.get(index) ?? null)),
    transactions: commands.map(showCommand),
  };
}

function showInput(input: Input, valueType: string | null): object {
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
  const reference = object?.ImmOrOwnedObject ?? object?.Receiving;
  return {
    type: 'object',
    objectType: object?.Receiving ? 'receiving' : 'immOrOwnedObject',
    objectId: reference?.objectId,
    version: String(reference?.version),
    digest: reference?.digest,
  };
}

function showPure(bytes: Uint8Array, type: string | null): unknown {
  try {
    switch (type) {
      case 'u8':
        return bcs.U8.parse(bytes);
      case 'u16':
        return bcs.U16.parse(bytes);
      case 'u32':
        return bcs.U32.parse(bytes);
      case 'u64':
        return bcs.U64.parse(bytes);
      case 'u128':
        return bcs.U128.parse(bytes);
      case 'u256':
        return bcs.U256.parse(bytes);
      case 'bool':
        return bcs.Bool.parse(bytes);
      case 'address':
        return bcs.Address.parse(bytes);
      case '0x1::string::String':
        return bcs.String.parse(bytes);
      default:
        return [...bytes];
    }
  } catch {
    return [...bytes];
  }
}

function showCommand(command: Command): object {
  switch (command.$kind) {
    case 'MoveCall': {
      const { typeArguments, arguments: values, ...target } = command.MoveCall;
      return {
        MoveCall: {
          package: target.package,
          module: target.module,
          function: target.function,
          ...(typeArguments.length > 0 && { type_arguments: typeArguments.map(showType) }),
          ...(values.length > 0 && { arguments: values.map(showArgument) }),
        },
      };
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      return { TransferObjects: [objects.map(showArgument), showArgument(address)] };
    }
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      return { SplitCoins: [showArgument(coin), amounts.map(showArgument)] };
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins;
      return { MergeCoins: [showArgument(destination), sources.map(showArgument)] };
    }
    case 'MakeMoveVec': {
      const { type, elements } = command.MakeMoveVec;
      return { MakeMoveVec: [type ? showType(type) : null, elements.map(showArgument)] };
    }
    case 'Publish':
      return { Publish: command.Publish.dependencies };
    case 'Upgrade': {
      const { dependencies, package: upgraded, ticket } = command.Upgrade;
      return { Upgrade: [dependencies, upgraded, showArgument(ticket)] };
    }
    default:
      return {};
  }
}

/** Nodes write the addresses in types of commands without leading zeros. */
function showType(type: string): string {
  return type.replace(/0x0+(?=[\da-f]+::)/g, '0x').replace(/, ?/g, ', ');
}

function showArgument(argument: Argument): unknown {
  switch (argument.$kind) {
    case 'GasCoin':
      return 'GasCoin';
    case 'Input':
      return { Input: argument.Input };
    case 'Result':
      return { Result: argument.Result };
    case 'NestedResult':
      return { NestedResult: argument.NestedResult };
    default:
      return {};
  }
}
