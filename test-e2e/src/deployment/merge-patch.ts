import { isObject, type Json, type JsonObject } from './manifest.js';

/** Lists whose entries a patch changes or adds, with the field that identifies an entry. */
const MERGED: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
};

/** Lists that a patch replaces. */
const REPLACED = ['egress', 'ingress', 'secretTargetRef', 'triggers'];

/**
 * Merges objects field by field, replaces values, and removes those that the patch has as null. It knows only the lists above,
 * since merging a list depends on its entries.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else merged[field] = merge(field, merged[field], value);
  }
  return merged;
}

function merge(field: string, was: Json | undefined, value: Json): Json {
  if (isObject(value)) return mergePatch(isObject(was) ? was : {}, value);
  if (!Array.isArray(value)) return value;
  if (REPLACED.includes(field)) return value;
  const key = MERGED[field];
  if (key === undefined) {
    throw new Error(`unsupported patch of ${field}: ${JSON.stringify(value)}`);
  }
  return mergeEntries(key, (was ?? []) as JsonObject[], value as JsonObject[]);
}

function mergeEntries(
  key: string,
  was: readonly JsonObject[],
  patches: readonly JsonObject[],
): JsonObject[] {
  const kept = was.map((entry) => {
    const patch = patches.find((one) => one[key] === entry[key]);
    return patch ? mergePatch(entry, patch) : entry;
  });
  const added = patches.filter((patch) => !was.some((entry) => entry[key] === patch[key]));
  return [...kept, ...added];
}
