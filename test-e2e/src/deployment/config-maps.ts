import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, type Manifest } from './manifest.js';

/** An entry of `configMapGenerator` in a kustomization. */
export interface ConfigMapGenerator {
  readonly name: string;
  readonly behavior?: 'merge';
  readonly literals: readonly string[];
}

/** Creates a ConfigMap, or extends one of an earlier layer. */
export function generateConfigMap(
  objects: readonly Manifest[],
  { name, behavior, literals }: ConfigMapGenerator,
): Manifest[] {
  const isIt = (one: Manifest) => one.kind === 'ConfigMap' && one.metadata.name === name;
  const was = objects.find(isIt);
  if ((behavior === 'merge') !== (was !== undefined)) {
    throw new Error(`ConfigMap/${name} ${was ? 'exists already' : 'does not exist'}`);
  }
  const values = literals.map((literal) => {
    const [, variable, value] = /^([^=]+)=(.*)$/s.exec(literal) ?? [];
    if (variable === undefined) throw new Error(`${literal} is not name=value`);
    return [variable, value!] as const;
  });
  const data = { ...(was?.['data'] as JsonObject | undefined), ...Object.fromEntries(values) };
  const made: Manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
  return [...objects.filter((one) => !isIt(one)), { ...was, ...made }];
}

/** Appends the hash of their content to the names of the generated ones, in every reference as well. */
export function nameConfigMapsByContent(
  objects: readonly Manifest[],
  generated: ReadonlySet<string>,
): Manifest[] {
  const names = new Map<string, string>();
  const named = objects.map((one) => {
    const { name } = one.metadata;
    if (one.kind !== 'ConfigMap' || !generated.has(name)) return one;
    names.set(name, `${name}-${hashOf(one['data'] as JsonObject)}`);
    return { ...one, metadata: { ...one.metadata, name: names.get(name)! } };
  });
  return named.map((one) => referTo(names, one) as Manifest);
}

function referTo(names: ReadonlyMap<string, string>, value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => referTo(names, one));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([field, one]) => {
    const isReference = field === 'configMapRef' || field === 'configMapKeyRef';
    if (!isReference || !isObject(one)) return [field, referTo(names, one)] as const;
    const name = one['name'] as string;
    return [field, { ...one, name: names.get(name) ?? name }] as const;
  });
  return Object.fromEntries(entries);
}

/** kustomize's own format: ten digits of a SHA-256, without those that could form words. */
function hashOf(data: JsonObject): string {
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  const json = JSON.stringify({ data: sorted, kind: 'ConfigMap', name: '' });
  const asGoWrites = json.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const digits = createHash('sha256').update(asGoWrites).digest('hex').slice(0, 10);
  const spoken: Record<string, string> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  return digits.replace(/[013ae]/g, (digit) => spoken[digit]!);
}
