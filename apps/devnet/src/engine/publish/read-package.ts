import { fromBase64 } from '@iota/iota-sdk/utils';
import { ExecutionFailure } from '../execution-failure.js';
import type { ExecutionSession } from '../execution-session.js';
import { readModuleName } from './read-module-name.js';

/** Units for each byte of the modules. */
const UNITS_PER_BYTE = 1n;
const MAX_PACKAGE_BYTES = 100 * 1024;
/** A node does not report the fault of a module. */
const UNVERIFIABLE = 'VMVerificationOrDeserializationError';

export interface PackageContent {
  /** Names of the modules, sorted. */
  readonly names: readonly string[];
  /** Bytes of the modules. */
  readonly size: number;
}

/** Reads the modules of a published package, in base64, and charges for them. Throws `ExecutionFailure`. */
export function readPackage(session: ExecutionSession, modules: readonly string[]): PackageContent {
  const bytes = modules.map((module) => fromBase64(module));
  const size = bytes.reduce((sum, { length }) => sum + length, 0);
  session.facts.meter.charge(UNITS_PER_BYTE * BigInt(size));
  const names = bytes.map(nameOf);
  if (new Set(names).size < names.length) {
    throw new ExecutionFailure(UNVERIFIABLE);
  }
  if (size > MAX_PACKAGE_BYTES) {
    throw new ExecutionFailure(
      `MovePackageTooBig { object_size: ${size}, max_object_size: ${MAX_PACKAGE_BYTES} }`,
    );
  }
  return { names: names.toSorted(), size };
}

function nameOf(bytes: Uint8Array): string {
  try {
    return readModuleName(bytes);
  } catch {
    throw new ExecutionFailure(UNVERIFIABLE);
  }
}
