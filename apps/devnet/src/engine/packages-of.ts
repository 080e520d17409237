import type { Program } from './transaction-data.js';
import { fullId } from './hash.js';

/** Addresses inside a type's text. */
const ADDRESSES = /0x[0-9a-f]+(?=::)/gi;

/**
 * The full ids of all packages that a program requires: those it calls, those of the types it names, and
 * those it publishes against or upgrades.
 */
export function packagesOf({ commands }: Program): readonly string[] {
  const ids = commands.flatMap((command): string[] => {
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
  });
  return [...new Set(ids.map(fullId))];
}

function addressesIn(type: string): string[] {
  return type.match(ADDRESSES) ?? [];
}
