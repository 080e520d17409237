import { fromBase64 } from '@iota/iota-sdk/utils';
import type { Command } from '../transaction-data.js';
import { fullId } from '../hash.js';
import { argumentFailure, type RuntimeValue } from '../execution-values.js';
import { ExecutionFailed } from '../execution-failed.js';
import type { ExecutionSession } from '../execution-session.js';
import type { PackageModule } from '../serialize-object.js';
import { readModuleName } from './read-module-name.js';
import {
  UPGRADE_CAP,
  UPGRADE_CAP_LAYOUT,
  makeReceipt,
  UPGRADE_TICKET,
} from '../move/package-module.js';
import type { ArgumentSlots } from '../argument-slots.js';

/** Units for each byte of the modules. */
const UNITS_PER_BYTE = 1n;

const MAX_PACKAGE_BYTES = 100 * 1024;

/** A node does not report the fault of a module. */
const UNVERIFIABLE = 'VMVerificationOrDeserializationError';

interface PackageContent {
  /** Sorted by name. */
  readonly modules: readonly PackageModule[];
  /** Bytes of the modules. */
  readonly size: number;
}

/** Reads the modules of a published package, in base64, and charges for them. Throws `ExecutionFailed`. */
function readPackage(session: ExecutionSession, code: readonly string[]): PackageContent {
  const all = code.map((module) => fromBase64(module));
  const size = all.reduce((sum, { length }) => sum + length, 0);
  session.facts.meter.charge(UNITS_PER_BYTE * BigInt(size));
  const modules = all.map((bytes) => ({ name: nameOf(bytes), bytes, types: [] }));
  if (new Set(modules.map(({ name }) => name)).size < modules.length) {
    throw new ExecutionFailed(UNVERIFIABLE);
  }
  if (size > MAX_PACKAGE_BYTES) {
    throw new ExecutionFailed(
      `MovePackageTooBig { object_size: ${size}, max_object_size: ${MAX_PACKAGE_BYTES} }`,
    );
  }
  return { modules: modules.sort((one, other) => (one.name < other.name ? -1 : 1)), size };
}

function nameOf(bytes: Uint8Array): string {
  try {
    return readModuleName(bytes);
  } catch {
    throw new ExecutionFailed(UNVERIFIABLE);
  }
}

/**
 * Publishes a package of compiled modules; its result is the upgrade capability. The modules are stored but
 * cannot run: there is no virtual machine.
 */
export function publishPackage(
  session: ExecutionSession,
  { modules: code }: NonNullable<Command['Publish']>,
): RuntimeValue[] {
  const { modules, size } = readPackage(session, code);
  const packageId = session.createPackage(modules, size, null);
  const object = session.create(UPGRADE_CAP, UPGRADE_CAP_LAYOUT, {
    package: packageId,
    version: 1n,
    policy: 0n,
  });
  return [{ kind: 'object', object }];
}

/**
 * Publishes a package's next version under a new id; its result is the receipt. All modules must be present;
 * their contents are not compared.
 */
export function upgradePackage(
  session: ExecutionSession,
  { modules: code, package: upgraded, ticket: argument }: NonNullable<Command['Upgrade']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  const ticket = slots.take(argument, 0, 'by-value', UPGRADE_TICKET);
  if (ticket.kind !== 'object') throw argumentFailure(0, 'TypeMismatch');
  const { values } = ticket.object;
  const before = session.package(fullId(upgraded));
  if (values.package !== before.objectId) {
    const mismatch = `PackageIDDoesNotMatch { package_id: ${before.objectId}, ticket_id: ${String(values.package)} }`;
    throw new ExecutionFailed(`PackageUpgradeError { upgrade_error: ${mismatch} }`);
  }
  const { modules, size } = readPackage(session, code);
  const names = new Set(modules.map(({ name }) => name));
  if (before.modules.some(({ name }) => !names.has(name))) {
    throw new ExecutionFailed('PackageUpgradeError { upgrade_error: IncompatibleUpgrade }');
  }
  const packageId = session.createPackage(modules, size, before);
  const object = makeReceipt(String(values.cap), packageId);
  return [{ kind: 'object', object }];
}
