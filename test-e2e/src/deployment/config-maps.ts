import type { JsonObject, Manifest } from './manifest.js';

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
