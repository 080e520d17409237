import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigMapGenerator, generateConfigMap } from './config-maps.js';
import { DOCKER, isObject, type JsonObject, type Manifest, nameOf, readYaml } from './manifest.js';
import { mergePatch } from './merge-patch.js';
import { replaceFields, type Replacement } from './replace-fields.js';
import { type Image, setImages } from './set-images.js';

/** The supported fields of kustomize; all others are refused. */
interface Kustomization {
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly {
    readonly path: string;
    /** Absent: the object that the patch names. */
    readonly target?: { readonly kind: string };
  }[];
  readonly images?: readonly Image[];
  readonly configMapGenerator?: readonly ConfigMapGenerator[];
  readonly replacements?: readonly Replacement[];
}

const FIELDS = [
  'namespace',
  'resources',
  'components',
  'patches',
  'images',
  'configMapGenerator',
  'replacements',
];
const HEAD = ['apiVersion', 'kind'];

/**
 * The objects that `kubectl apply -k <folder>` would apply, but generated ConfigMaps without the hash of their content in their
 * names. `found`: the objects that a component changes. Throws on unsupported fields.
 */
export function resolveKustomization(folder: string, found: readonly Manifest[] = []): Manifest[] {
  const kustomization = readKustomization(folder);
  let objects = [...found];
  for (const resource of kustomization.resources ?? []) {
    const path = join(folder, resource);
    if (!existsSync(path)) throw new Error(`${folder} names ${resource}, which does not exist`);
    const isFolder = statSync(path).isDirectory();
    objects.push(...(isFolder ? resolveKustomization(path) : readYaml(path).map(toManifest)));
  }
  for (const component of kustomization.components ?? []) {
    objects = resolveKustomization(join(folder, component), objects);
  }
  for (const generator of kustomization.configMapGenerator ?? []) {
    objects = generateConfigMap(objects, generator);
  }
  for (const { path, target } of kustomization.patches ?? []) {
    for (const patch of readYaml(join(folder, path)).map(toManifest)) {
      objects = applyPatch(objects, patch, target);
    }
  }
  refuseDuplicates(objects);
  if (kustomization.images) objects = objects.map((one) => setImages(one, kustomization.images!));
  for (const replacement of kustomization.replacements ?? []) {
    objects = replaceFields(objects, replacement);
  }
  const { namespace } = kustomization;
  return namespace === undefined ? objects : objects.map((one) => setNamespace(one, namespace));
}

/** The objects of an overlay of this project: `local` or `production`. */
export function resolveOverlay(name: string): Manifest[] {
  return resolveKustomization(join(DOCKER, 'kubernetes', 'overlays', name));
}

function readKustomization(folder: string): Kustomization {
  const [document, ...more] = readYaml(join(folder, 'kustomization.yaml'));
  const unknown = Object.keys(document!).filter((key) => ![...FIELDS, ...HEAD].includes(key));
  if (more.length > 0 || unknown.length > 0) {
    throw new Error(`${folder}/kustomization.yaml: unsupported: ${unknown.join(', ')}`);
  }
  return document as unknown as Kustomization;
}

function toManifest(document: JsonObject): Manifest {
  const { apiVersion, kind, metadata } = document;
  if (typeof apiVersion === 'string' && typeof kind === 'string' && isObject(metadata)) {
    if (typeof metadata['name'] === 'string') return document as Manifest;
  }
  throw new Error(`not a Kubernetes object: ${JSON.stringify(document)}`);
}

function applyPatch(
  objects: readonly Manifest[],
  { metadata, ...patch }: Manifest,
  target?: { readonly kind: string },
): Manifest[] {
  const named = nameOf({ kind: patch.kind, metadata });
  const isChanged = (one: Manifest) =>
    target === undefined ? nameOf(one) === named : one.kind === target.kind;
  if (!objects.some(isChanged)) throw new Error(`a patch changes ${named}, which does not exist`);
  const whole = target === undefined ? { ...patch, metadata } : patch;
  return objects.map((one) => (isChanged(one) ? (mergePatch(one, whole) as Manifest) : one));
}

function refuseDuplicates(objects: readonly Manifest[]): void {
  const names = objects.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} exists twice`);
}

function setNamespace(one: Manifest, namespace: string): Manifest {
  if (one.kind === 'Namespace') return { ...one, metadata: { ...one.metadata, name: namespace } };
  return { ...one, metadata: { ...one.metadata, namespace } };
}
