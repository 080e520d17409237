import type { Command } from '../decode-transaction.js';
import type { ExecutionSession } from '../execution-session.js';
import { UPGRADE_CAP, UPGRADE_CAP_LAYOUT } from '../move/package-module.js';
import type { RuntimeValue } from '../runtime-values.js';
import { readPackage } from './read-package.js';

/**
 * Publishes a package of compiled modules; its result is the upgrade capability. The modules are stored but cannot
 * run: there is no virtual machine.
 */
export function publishPackage(
  session: ExecutionSession,
  { modules }: NonNullable<Command['Publish']>,
): RuntimeValue[] {
  const { names, size } = readPackage(session, modules);
  const packageId = session.createPackage(names, size, 1);
  const object = session.create(UPGRADE_CAP, UPGRADE_CAP_LAYOUT, {
    package: packageId,
    version: 1n,
    policy: 0n,
  });
  return [{ kind: 'object', object }];
}
