import { fromBase64 } from '@iota/iota-sdk/utils';
import type { Command } from '../decode-transaction.js';
import { ExecutionFailure } from '../execution-failure.js';
import type { ExecutionSession } from '../execution-session.js';
import type { StructLayout } from '../move-value.js';
import type { RuntimeValue } from '../runtime-values.js';
import { readModuleName } from './read-module-name.js';

const UPGRADE_CAP = '0x2::package::UpgradeCap';
const UPGRADE_CAP_LAYOUT: StructLayout = {
  name: 'UpgradeCap',
  abilities: ['Store', 'Key'],
  typeParameters: 0,
  fields: [
    ['package', 'address'],
    ['version', 'u64'],
    ['policy', 'u8'],
  ],
};
/** Units for each byte of the modules. */
const UNITS_PER_BYTE = 1n;

/**
 * Publishes a package of compiled modules; its result is the upgrade capability. The modules are stored but cannot be run:
 * there is no virtual machine.
 */
export function publishPackage(
  session: ExecutionSession,
  { modules }: NonNullable<Command['Publish']>,
): RuntimeValue[] {
  if (modules.length === 0) throw new ExecutionFailure('PublishErrorEmptyPackage');
  const bytes = modules.map((module) => fromBase64(module));
  const size = bytes.reduce((sum, { length }) => sum + length, 0);
  session.facts.meter.charge(UNITS_PER_BYTE * BigInt(size));
  const names = bytes.map(nameOf);
  if (new Set(names).size < names.length) {
    throw new ExecutionFailure('VMVerificationOrDeserializationError: duplicate module name');
  }
  const packageId = session.createPackage(names.toSorted(), size);
  const object = session.create(UPGRADE_CAP, UPGRADE_CAP_LAYOUT, {
    package: packageId,
    version: 1n,
    policy: 0n,
  });
  return [{ kind: 'object', object }];
}

function nameOf(bytes: Uint8Array): string {
  try {
    return readModuleName(bytes);
  } catch (error) {
    throw new ExecutionFailure(
      `VMVerificationOrDeserializationError: ${(error as Error).message} in a published module`,
    );
  }
}
