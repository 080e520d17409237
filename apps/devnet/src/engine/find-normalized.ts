import { fullId } from './hex.js';
import { findModule } from './move/move-library.js';
import { normalizeFunction, normalizeModule } from './normalize-module.js';

/** See `EngineInterface.getNormalizedFunction`. */
export function findNormalizedFunction(
  packageId: string,
  module: string,
  name: string,
): object | null {
  const functions = findModule(fullId(packageId), module)?.functions ?? [];
  const found = functions.find((each) => each.name === name);
  return found ? normalizeFunction(found) : null;
}

/** See `EngineInterface.getNormalizedModule`. */
export function findNormalizedModule(packageId: string, module: string): object | null {
  const found = findModule(fullId(packageId), module);
  return found ? normalizeModule(found) : null;
}
