import type { bcs } from '@iota/iota-sdk/bcs';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';

export type Command = NonNullable<
  NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>['kind']['ProgrammableTransaction']
>['commands'][number];

/** Addresses inside a type's text. */
const ADDRESSES = /0x[0-9a-f]+(?=::)/gi;

/**
 * Every package that validators load for the commands, once each, in full form: what is called, what the types are from
 * (type arguments, elements of vectors, nested ones too), and what is published against or upgraded.
 */
export function findPackages(commands: readonly Command[]): string[] {
  const packages = new Set<string>();
  for (const command of commands) {
    for (const id of packagesOf(command)) packages.add(normalizeIotaAddress(id));
  }
  return [...packages];
}

function packagesOf(command: Command): string[] {
  switch (command.$kind) {
    case 'MoveCall': {
      const { package: called, typeArguments } = command.MoveCall;
      return [called, ...typeArguments.flatMap(addressesIn)];
    }
    case 'MakeMoveVec':
      return addressesIn(command.MakeMoveVec.type ?? '');
    case 'Publish':
      return command.Publish.dependencies;
    case 'Upgrade':
      return [...command.Upgrade.dependencies, command.Upgrade.package];
    default:
      return [];
  }
}

function addressesIn(type: string): string[] {
  return type.match(ADDRESSES) ?? [];
}
