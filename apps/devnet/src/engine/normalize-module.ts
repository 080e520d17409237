import type { MoveFunction } from './move-module.js';
import { normalizeMoveType } from './move-type.js';
import { fullId } from './hash.js';
import { findModule } from './move/move-library.js';

/** A function as a node's `getNormalizedMoveFunction` shows it. */
function normalizeFunction(fn: MoveFunction): object {
  return {
    visibility: 'Public',
    isEntry: fn.isEntry,
    typeParameters: fn.typeParameters.map((abilities) => ({ abilities: [...abilities] })),
    parameters: fn.parameters.map(normalizeMoveType),
    return: fn.returns.map(normalizeMoveType),
  };
}

/** See `EngineInterface.getNormalizedFunction`. */
export function findNormalizedFunction(
  packageId: string,
  module: string,
  name: string,
): object | null {
  const functions = findModule(fullId(packageId), module)?.functions ?? [];
  const definition = functions.find((each) => each.name === name);
  return definition ? normalizeFunction(definition) : null;
}
