import type { ArgumentSlots } from '../argument-slots.js';
import type { Command } from '../decode-transaction.js';
import { argumentFailure, ExecutionFailure } from '../execution-failure.js';
import type { ExecutionSession } from '../execution-session.js';
import { fullId } from '../hex.js';
import { makeReceipt, UPGRADE_TICKET } from '../move/package-module.js';
import type { RuntimeValue } from '../runtime-values.js';
import { readPackage } from './read-package.js';

/**
 * Publishes a package's next version under a new id; its result is the receipt. All modules must be present; their
 * contents are not compared.
 */
export function upgradePackage(
  session: ExecutionSession,
  { modules, package: upgraded, ticket: argument }: NonNullable<Command['Upgrade']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  const ticket = slots.take(argument, 0, 'by-value', UPGRADE_TICKET);
  if (ticket.kind !== 'object') throw argumentFailure(0, 'TypeMismatch');
  const { values } = ticket.object;
  const before = session.package(fullId(upgraded));
  if (values.package !== before.objectId) {
    const mismatch = `PackageIDDoesNotMatch { package_id: ${before.objectId}, ticket_id: ${String(values.package)} }`;
    throw new ExecutionFailure(`PackageUpgradeError { upgrade_error: ${mismatch} }`);
  }
  const { names, size } = readPackage(session, modules);
  if (before.modules.some((name) => !names.includes(name))) {
    throw new ExecutionFailure('PackageUpgradeError { upgrade_error: IncompatibleUpgrade }');
  }
  const packageId = session.createPackage(names, size, before.version + 1);
  const object = makeReceipt(String(values.cap), packageId);
  return [{ kind: 'object', object }];
}
