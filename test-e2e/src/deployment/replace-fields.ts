import { isObject, type Json, type JsonObject, type Manifest, nameOf } from './manifest.js';

interface Selected {
  readonly kind: string;
  readonly name: string;
}

/** An entry of `replacements` in a kustomization: copies one field to others. */
export interface Replacement {
  readonly source: Selected & { readonly fieldPath: string };
  readonly targets: readonly {
    readonly select: Selected;
    readonly fieldPaths: readonly string[];
  }[];
}

/** Throws if an object or a field does not exist. */
export function replaceFields(
  objects: readonly Manifest[],
  { source, targets }: Replacement,
): Manifest[] {
  const changed = structuredClone(objects) as Manifest[];
  const [holder, field] = locate(find(changed, source), source.fieldPath);
  for (const { select, fieldPaths } of targets) {
    for (const path of fieldPaths) {
      const [target, name] = locate(find(changed, select), path);
      target[name] = holder[field]!;
    }
  }
  return changed;
}

function find(objects: readonly Manifest[], { kind, name }: Selected): Manifest {
  const wanted = nameOf({ kind, metadata: { name } });
  const found = objects.find((one) => nameOf(one) === wanted);
  if (found === undefined) throw new Error(`a replacement names ${wanted}, which does not exist`);
  return found;
}

/** The object that has the field of a path such as `spec.containers.[name=gateway].image`, and its name. */
function locate(object: Manifest, path: string): readonly [JsonObject, string] {
  const steps = path.split('.');
  const field = steps.pop()!;
  let at: Json | undefined = object;
  for (const step of steps) {
    const [, key = '', value] = /^\[(\w+)=(.+)\]$/.exec(step) ?? [];
    const entries: readonly Json[] = Array.isArray(at) ? at : [];
    if (key === '') at = isObject(at) ? at[step] : undefined;
    else at = entries.find((one) => isObject(one) && one[key] === value);
  }
  if (isObject(at) && field in at) return [at, field];
  throw new Error(`${nameOf(object)} has no field ${path}`);
}
