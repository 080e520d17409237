import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64, normalizeIotaAddress } from '@iota/iota-sdk/utils';

type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
type Program = NonNullable<TransactionData['kind']['ProgrammableTransaction']>;
type Input = Program['inputs'][number];
type Command = Program['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];
type Reference = TransactionData['gasData']['payment'][number];

/**
 * A transaction in the JSON of the ledger's own tools, the format of policies in Rego: variants by
 * their names, bytes as arrays of numbers, references as `[id, version, digest]`. `bytes` must have
 * been decoded before.
 */
export function transactionJson(bytes: Uint8Array): unknown {
  const { kind, sender, gasData, expiration } = bcs.TransactionData.parse(bytes).V1;
  const { inputs, commands } = kind.ProgrammableTransaction!;
  return {
    V1: {
      kind: {
        ProgrammableTransaction: {
          inputs: inputs.map(inputJson),
          commands: commands.map(commandJson),
        },
      },
      sender,
      gas_data: {
        payment: gasData.payment.map(referenceJson),
        owner: gasData.owner,
        price: Number(gasData.price),
        budget: Number(gasData.budget),
      },
      expiration: expiration.Epoch == null ? 'None' : { Epoch: Number(expiration.Epoch) },
    },
  };
}

function inputJson({ Pure: pure, Object: object }: Input): unknown {
  if (pure) return { Pure: [...fromBase64(pure.bytes)] };
  if (object?.ImmOrOwnedObject) {
    return { Object: { ImmOrOwnedObject: referenceJson(object.ImmOrOwnedObject) } };
  }
  if (object?.Receiving) return { Object: { Receiving: referenceJson(object.Receiving) } };
  const { objectId, initialSharedVersion, mutable } = object.SharedObject;
  return {
    Object: {
      SharedObject: {
        id: normalizeIotaAddress(objectId),
        mutable,
        initial_shared_version: Number(initialSharedVersion),
      },
    },
  };
}

function commandJson(command: Command): unknown {
  switch (command.$kind) {
    case 'MoveCall': {
      const { package: packageId, module, function: name } = command.MoveCall;
      const { typeArguments, arguments: values } = command.MoveCall;
      return {
        MoveCall: {
          package: packageId,
          module,
          function: name,
          type_arguments: typeArguments,
          arguments: values.map(argumentJson),
        },
      };
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      return { TransferObjects: [objects.map(argumentJson), argumentJson(address)] };
    }
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      return { SplitCoins: [argumentJson(coin), amounts.map(argumentJson)] };
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins;
      return { MergeCoins: [argumentJson(destination), sources.map(argumentJson)] };
    }
    case 'MakeMoveVec': {
      const { type, elements } = command.MakeMoveVec;
      return { MakeMoveVec: [type, elements.map(argumentJson)] };
    }
    case 'Publish': {
      const { modules, dependencies } = command.Publish;
      return { Publish: [modules.map((one) => [...fromBase64(one)]), dependencies] };
    }
    case 'Upgrade': {
      const { modules, dependencies, package: packageId, ticket } = command.Upgrade;
      const bytes = modules.map((one) => [...fromBase64(one)]);
      return { Upgrade: [bytes, dependencies, packageId, argumentJson(ticket)] };
    }
  }
}

function argumentJson(argument: Argument): unknown {
  switch (argument.$kind) {
    case 'GasCoin':
      return 'GasCoin';
    case 'Input':
      return { Input: argument.Input };
    case 'Result':
      return { Result: argument.Result };
    case 'NestedResult':
      return { NestedResult: argument.NestedResult };
  }
}

const referenceJson = ({ objectId, version, digest }: Reference) => [
  normalizeIotaAddress(objectId),
  Number(version),
  digest,
];
