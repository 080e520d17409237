import { isObject, type Json, type JsonObject } from './manifest.js';

/** Objects field by field, other values replaced. Lists are refused: how they merge depends on what they hold. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [field, value] of Object.entries(patch)) merged[field] = merge(merged[field], value);
  return merged;
}

function merge(was: Json | undefined, value: Json): Json {
  if (Array.isArray(value) || value === null) {
    throw new Error(`a patch with a list or null is not understood: ${JSON.stringify(value)}`);
  }
  return isObject(value) ? mergePatch(isObject(was) ? was : {}, value) : value;
}
